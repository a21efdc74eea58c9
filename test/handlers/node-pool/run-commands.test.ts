import { describe, expect, test } from "vitest";
import { Conflict, Forbidden, Throttled } from "../../../functions/ports/errors.ts";
import { runCommands } from "../../../functions/handlers/run-commands.ts";
import { parseInstanceId } from "../../../functions/workflows/node-pool-rollout/run-commands.ts";
import type { BootcNode, KubeNode, PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { Agent } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { command } from "../../domain/node-pool/agent/hosts.ts";
import { digestB, imageA, imageB, member, pool, slotted, updated } from "../../domain/node-pool/pools.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { createFakeSsmHosts } from "../../support/aws/fake-ssm-hosts.ts";
import { fakePorts, once } from "../../support/fake-ports.ts";
import { after, noon } from "../../support/workloads.ts";
import { poolStepInput } from "./node-pool-fixtures.ts";

const instance = "i-0123456789abcdef0";
const providerId = `aws:///eu-west-1a/${instance}`;
const input = poolStepInput("roll-1");

interface Options {
  readonly agent?: Agent;
  readonly atMoment?: AtMoment;
}

function createFixture(nodes: readonly PoolNode[], { agent = "RunCommand", atMoment = () => {} }: Options = {}) {
  const hosts = createFakeSsmHosts({ [instance]: imageA }, atMoment);
  const of = pool({ agent, rebootPolicy: "AllowSoftReboot" }, { execution: "roll-1" });
  const ports = { ...fakePorts({ nodePools: { pools: [of], nodes }, atMoment }), commands: hosts };
  return { ports, hosts, run: () => runCommands(ports, input), bootcNode: () => ports.nodePools.node("w1").bootcNode };
}

function one(bootc: Partial<BootcNode> = {}, node: Partial<KubeNode> = {}): readonly PoolNode[] {
  return [member("w1", bootc, { providerId, ...node })];
}

test("a node gets a stage command, and its BootcNode records the command's id", async () => {
  const { run, hosts, bootcNode } = createFixture(one());
  expect(await run()).toEqual({ kind: "sent", reason: "w1: stage sent" });
  expect(hosts.sent).toEqual([{ instance, action: "stage", image: imageB }]);
  expect(bootcNode()).toMatchObject({
    idle: { activity: "Staging" },
    command: { id: "c-1", kind: "stage", image: imageB, at: noon, attempts: 0 },
  });
});

test("a command in flight is not sent again, and its result is reported once it has ended", async () => {
  const { run, hosts, bootcNode } = createFixture(one());
  await run();
  expect(await run()).toEqual({ kind: "sent", reason: "" });
  hosts.step();
  expect(await run()).toEqual({ kind: "sent", reason: "w1: is Staged" });
  expect(hosts.sent).toHaveLength(1);
  expect(bootcNode()).toMatchObject({ stagedDigest: digestB, idle: { activity: "Staged" }, command: null });
});

test("a node that cannot be reached reports it, and its command is sent again after 5 s", async () => {
  const elsewhere = one({}, { providerId: "aws:///eu-west-1a/i-ffffffff" });
  const { run, ports, bootcNode } = createFixture(elsewhere);
  expect(await run()).toEqual({ kind: "sent", reason: "w1: SSM cannot reach i-ffffffff" });
  expect(bootcNode()).toMatchObject({ error: "SSM cannot reach i-ffffffff", idle: { activity: null } });
  expect(await run()).toEqual({ kind: "sent", reason: "" });
  ports.pass(5);
  await run();
  expect(bootcNode()?.command).toMatchObject({ attempts: 2, at: after(5 / 60) });
});

describe("failures are reported on the node", () => {
  test.for([
    { when: "it is not an EC2 instance", node: { providerId: "kind://w1" }, error: "not an EC2 instance" },
    { when: "its Node has no providerID", node: { providerId: null }, error: "providerID missing" },
  ])("if $when", async ({ node, error }) => {
    const { run, bootcNode } = createFixture(one({}, node));
    await run();
    expect(bootcNode()?.error).toContain(error);
  });

  test.for([
    { call: "send stage", bootc: {} },
    { call: "result", bootc: { command: command({ id: "c-9" }) } },
  ] as const)("if Pawl is not allowed to $call", async ({ call, bootc }) => {
    const atMoment = once(`before ${call}`, () => {
      throw new Forbidden("the instance does not have the tag");
    });
    const { run, bootcNode } = createFixture(one(bootc), { atMoment });
    await run();
    expect(bootcNode()?.error).toBe("the instance does not have the tag");
  });
});

test("a rebooting node that cannot be reached stays unchanged", async () => {
  const of = { ...slotted, desiredImageState: "Booted", idle: { activity: "Rebooting" } } as const;
  const nodes = one({ ...of, command: command({ id: null, kind: "apply" }) }, { providerId: "aws:///z/i-ffffffff" });
  const { run, bootcNode } = createFixture(nodes);
  expect(await run()).toEqual({ kind: "sent", reason: "w1: does not answer" });
  expect(bootcNode()).toBe(nodes[0]?.bootcNode);
});

test("a node that has changed is left to the next round, and the others continue", async () => {
  const atMoment = once("before writeAgentReport", () => {
    throw new Conflict("w1 has changed");
  });
  const { run, hosts } = createFixture([...one(), member("w2", {}, { providerId })], { atMoment });
  expect(await run()).toEqual({ kind: "sent", reason: "w1: has changed since it was read; w2: stage sent" });
  expect(hosts.sent).toHaveLength(2);
});

test("throttling by SSM retries the step after the pending requests have ended", async () => {
  const atMoment = once("before send stage", () => {
    throw new Throttled("slowly", null);
  });
  const { run, ports } = createFixture([...one(), member("w2", {}, { providerId })], { atMoment });
  await expect(run()).rejects.toMatchObject({ name: "Throttled" });
  expect(ports.nodePools.node("w2").bootcNode?.command).toMatchObject({ id: "c-1" });
});

test("a hundred nodes are processed per step, slot holders first", async () => {
  const waiting = Array.from({ length: 120 }, (_, index) => member(`w${index}`, {}, { providerId }));
  const holder = member("z", { ...slotted, desiredImageState: "Booted" }, { providerId });
  const { run, hosts } = createFixture([
    ...waiting,
    holder,
    member("y", { command: command({ id: "c-9" }) }, { providerId }),
  ]);
  await run();
  expect(hosts.sent.filter(({ action }) => action === "stage")).toHaveLength(98);
  expect(hosts.sent.filter(({ action }) => action === "apply-soft")).toHaveLength(1);
});

test.for([
  { when: "its nodes have a daemon", agent: "Daemon", nodes: one() },
  { when: "its nodes run the desired image", agent: "RunCommand", nodes: one(updated) },
  { when: "a Node was deleted", agent: "RunCommand", nodes: [{ ...member("w1"), node: null }] },
] as const)("nothing is done to a pool if $when", async ({ agent, nodes }) => {
  const { run, hosts } = createFixture(nodes, { agent });
  expect(await run()).toEqual({ kind: "sent", reason: "" });
  expect(hosts.sent).toEqual([]);
});

test("an execution that has lost its claim sends nothing", async () => {
  const { ports, hosts } = createFixture(one());
  expect(await runCommands(ports, { ...input, execution: "roll-2" })).toMatchObject({ kind: "superseded" });
  expect(hosts.sent).toEqual([]);
});

test.for([
  { providerId: "aws:///eu-west-1a/i-0123456789abcdef0", instance: "i-0123456789abcdef0" },
  { providerId: "aws:///eu-west-1a/fargate-ip-10-0-0-1", instance: null },
  { providerId: "eks-hybrid:///eu-west-1/c/mi-0123456789abcdef0", instance: null },
  { providerId: null, instance: null },
])("providerID $providerId: instance $instance", ({ providerId: id, instance: expected }) => {
  expect(parseInstanceId(id)).toBe(expected);
});
