import { describe, expect, test } from "vitest";
import { Conflict, Forbidden, Throttled } from "../../functions/adapters/errors.ts";
import { runCommands } from "../../functions/handlers/run-commands.ts";
import type { Agent, BootcNode, KubeNode, PoolNode } from "../../functions/domain/node-pool/types.ts";
import { command } from "../domain/node-pool/agent/hosts.ts";
import { digestB, imageA, imageB, member, pool, slotted, updated } from "../domain/node-pool/pools.ts";
import type { AtMoment } from "../support/fake-cluster.ts";
import { fakeHosts } from "../support/fake-hosts.ts";
import { fakePorts, once } from "../support/fake-ports.ts";
import { after, noon } from "../support/workloads.ts";
import { poolStep } from "./pool-world.ts";

const instance = "i-0123456789abcdef0";
const providerId = `aws:///eu-west-1a/${instance}`;
const input = poolStep("roll-1");

interface Options {
  readonly agent?: Agent;
  readonly atMoment?: AtMoment;
}

function world(nodes: readonly PoolNode[], { agent = "RunCommand", atMoment = () => {} }: Options = {}) {
  const hosts = fakeHosts({ [instance]: imageA }, atMoment);
  const of = pool({ agent, rebootPolicy: "AllowSoftReboot" }, { execution: "roll-1" });
  const ports = { ...fakePorts({ nodePools: { pools: [of], nodes }, atMoment }), commands: hosts };
  return { ports, hosts, run: () => runCommands(ports, input), bootcNode: () => ports.nodePools.node("w1").bootcNode };
}

function one(of: Partial<BootcNode> = {}, node: Partial<KubeNode> = {}): readonly PoolNode[] {
  return [member("w1", of, { providerId, ...node })];
}

test("a node is told to stage, and its BootcNode says so with the command's id", async () => {
  const { run, hosts, bootcNode } = world(one());
  expect(await run()).toEqual({ kind: "asked", reason: "w1: stage sent" });
  expect(hosts.sent).toEqual([{ instance, action: "stage", image: imageB }]);
  expect(bootcNode()).toMatchObject({
    idle: { activity: "Staging" },
    command: { id: "c-1", kind: "stage", image: imageB, at: noon, attempts: 0 },
  });
});

test("a command in flight is not sent again, and where it has ended its node says what it has", async () => {
  const { run, hosts, bootcNode } = world(one());
  await run();
  expect(await run()).toEqual({ kind: "asked", reason: "" });
  hosts.turn();
  expect(await run()).toEqual({ kind: "asked", reason: "w1: is Staged" });
  expect(hosts.sent).toHaveLength(1);
  expect(bootcNode()).toMatchObject({ stagedDigest: digestB, idle: { activity: "Staged" }, command: null });
});

test("that a node reboots stands there before it is told to", async () => {
  const said: unknown[] = [];
  const atMoment = once("before send apply-soft", () => void said.push(bootcNode()));
  const { run, hosts, bootcNode } = world(one({ ...slotted, desiredImageState: "Booted" }), { atMoment });
  await run();
  expect(hosts.sent).toEqual([{ instance, action: "apply-soft", image: imageB }]);
  expect(said).toMatchObject([
    { idle: { activity: "Rebooting" }, command: { id: null, kind: "apply", image: imageB } },
  ]);
});

test("a node that was not sent its command says so, and is sent it again after 5 s", async () => {
  const elsewhere = one({}, { providerId: "aws:///eu-west-1a/i-ffffffff" });
  const { run, ports, bootcNode } = world(elsewhere);
  expect(await run()).toEqual({ kind: "asked", reason: "w1: SSM does not reach i-ffffffff" });
  expect(bootcNode()).toMatchObject({ error: "SSM does not reach i-ffffffff", idle: { activity: null } });
  expect(await run()).toEqual({ kind: "asked", reason: "" });
  ports.pass(5);
  await run();
  expect(bootcNode()?.command).toMatchObject({ attempts: 2, at: after(5 / 60) });
});

describe("what is wrong stands on the node", () => {
  test.for([
    { when: "it is no instance of EC2", node: { providerId: "kind://w1" }, error: "no instance of EC2" },
    { when: "its Node names none", node: { providerId: null }, error: "providerID missing" },
  ])("where $when", async ({ node, error }) => {
    const { run, bootcNode } = world(one({}, node));
    await run();
    expect(bootcNode()?.error).toContain(error);
  });

  test.for([
    { call: "send stage", of: {} },
    { call: "result", of: { command: command({ id: "c-9" }) } },
  ] as const)("where Pawl may not $call", async ({ call, of }) => {
    const atMoment = once(`before ${call}`, () => {
      throw new Forbidden("its instance has not the tag");
    });
    const { run, bootcNode } = world(one(of), { atMoment });
    await run();
    expect(bootcNode()?.error).toBe("its instance has not the tag");
  });
});

test("a node that reboots and cannot be reached is left as it is", async () => {
  const of = { ...slotted, desiredImageState: "Booted", idle: { activity: "Rebooting" } } as const;
  const nodes = one({ ...of, command: command({ id: null, kind: "apply" }) }, { providerId: "aws:///z/i-ffffffff" });
  const { run, bootcNode } = world(nodes);
  expect(await run()).toEqual({ kind: "asked", reason: "w1: does not answer" });
  expect(bootcNode()).toBe(nodes[0]?.bootcNode);
});

test("a node that has changed meanwhile is left to the next time, and the others are seen to", async () => {
  const atMoment = once("before report", () => {
    throw new Conflict("w1 has changed");
  });
  const { run, hosts } = world([...one(), member("w2", {}, { providerId })], { atMoment });
  expect(await run()).toEqual({ kind: "asked", reason: "w1: has changed meanwhile; w2: stage sent" });
  expect(hosts.sent).toHaveLength(2);
});

test("where SSM throttles, the step is tried again after what was under way has ended", async () => {
  const atMoment = once("before send stage", () => {
    throw new Throttled("slowly", null);
  });
  const { run, ports } = world([...one(), member("w2", {}, { providerId })], { atMoment });
  await expect(run()).rejects.toMatchObject({ name: "Throttled" });
  expect(ports.nodePools.node("w2").bootcNode?.command).toMatchObject({ id: "c-1" });
});

test("nothing is sent any more when time is up", async () => {
  const { ports, hosts } = world(one());
  await runCommands(ports, input, { outOfTime: AbortSignal.abort() });
  expect(hosts.sent).toEqual([]);
});

test("a hundred nodes are seen to at once, and those that hold slots come first", async () => {
  const waiting = Array.from({ length: 120 }, (_, index) => member(`w${index}`, {}, { providerId }));
  const holder = member("z", { ...slotted, desiredImageState: "Booted" }, { providerId });
  const { run, hosts } = world([...waiting, holder, member("y", { command: command({ id: "c-9" }) }, { providerId })]);
  await run();
  expect(hosts.sent.filter(({ action }) => action === "stage")).toHaveLength(98);
  expect(hosts.sent.filter(({ action }) => action === "apply-soft")).toHaveLength(1);
});

test.for([
  { when: "its nodes have a daemon", agent: "Daemon", nodes: one() },
  { when: "its nodes run what they should", agent: "RunCommand", nodes: one(updated) },
  { when: "a node has gone", agent: "RunCommand", nodes: [{ ...member("w1"), node: null }] },
] as const)("nothing is done to a pool where $when", async ({ agent, nodes }) => {
  const { run, hosts } = world(nodes, { agent });
  expect(await run()).toEqual({ kind: "asked", reason: "" });
  expect(hosts.sent).toEqual([]);
});

test("an execution that has lost its claim sends nothing", async () => {
  const { ports, hosts } = world(one());
  expect(await runCommands(ports, { ...input, execution: "roll-2" })).toMatchObject({ kind: "superseded" });
  expect(hosts.sent).toEqual([]);
});
