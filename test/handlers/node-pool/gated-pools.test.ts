import { expect, onTestFinished, test, vi } from "vitest";
import type { Approval } from "../../../functions/domain/gates/approval.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import type { Verifier } from "../../../functions/ports/verifier.ts";
import { digestA, digestB, imageA, imageB } from "../../domain/node-pool/pools.ts";
import { createPoolFixture, newPool, type PoolFixture } from "./node-pool-fixtures.ts";
import { readSignatureGate } from "../../../functions/workflows/node-pool-rollout/read-signature-gate.ts";
import { runUntilComplete } from "./run-node-pool-rollout.ts";

/** Rolls image A out to three nodes, and then requests image B. */
async function startRollout(freeze: () => string | null): Promise<PoolFixture> {
  const fixture = createPoolFixture({ pool: newPool({ imageRef: imageA }), freeze });
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, stepAgents);
  const workers = ports.nodePools.pool("workers");
  ports.nodePools.putPool({ ...workers, spec: { ...workers.spec, imageRef: imageB }, generation: 2 });
  return fixture;
}

function bootedNodes({ ports: { nodePools }, names }: PoolFixture, digest: string): readonly string[] {
  return names.filter((name) => nodePools.node(name).bootcNode?.bootedDigest === digest);
}

const messageOf = ({ ports: { nodePools } }: PoolFixture) =>
  nodePools.pool("workers").status.conditions.find(({ type }) => type === "UpToDate")?.message;

test.for([
  { text: "- reason: incident 7\n  by: anna", message: 'updates are frozen: incident 7, by anna; run "pawl unfreeze"' },
  { text: "- {", message: "whether updates are frozen is not known: ConfigMap pawl-freeze: .*the operator of Pawl" },
])("no node begins during a freeze, and no execution runs: $text", async ({ text, message }) => {
  let freeze: string | null = null;
  const fixture = await startRollout(() => freeze);
  const { ports, stepAgents } = fixture;
  freeze = text;
  const started = ports.poolExecutions.started.length;
  const writes = ports.nodePools.writes.length;
  await runUntilComplete(ports, stepAgents);
  await runUntilComplete(ports, stepAgents);
  expect(ports.nodePools.writes.slice(writes)).toEqual([]);
  expect(ports.poolExecutions.started).toHaveLength(started);
  expect(messageOf(fixture)).toMatch(new RegExp(`waits for freeze: ${message}`));
  freeze = null;
  await runUntilComplete(ports, stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
  expect(ports.nodePools.pool("workers").status.gates).toEqual([]);
});

test("a freeze of some namespaces is for no node pool", async () => {
  const fixture = await startRollout(() => "- reason: incident 7\n  namespaces: [shop]");
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

test("a freeze in a rollout lets the node in a slot finish, and no other begins", async () => {
  let freeze: string | null = null;
  const fixture = await startRollout(() => freeze);
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, () => {
    if (ports.nodePools.node("w1").bootcNode?.slot) freeze = "- reason: incident 7";
    stepAgents();
  });
  expect(bootedNodes(fixture, digestB)).toEqual(["w1"]);
  expect(fixture.names.filter((name) => ports.nodePools.node(name).node?.unschedulable)).toEqual([]);
});

test("a rollback does not wait for a freeze", async () => {
  let freeze: string | null = null;
  const fixture = await startRollout(() => freeze);
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, () => {
    if (bootedNodes(fixture, digestB).length > 0) freeze = "- reason: incident 7";
    stepAgents();
  });
  expect(bootedNodes(fixture, digestB)).toEqual(["w1"]);
  await ports.nodePools.request(ports.nodePools.pool("workers"), "abort t-1");
  await runUntilComplete(ports, stepAgents);
  expect(bootedNodes(fixture, digestA)).toEqual(fixture.names);
});

const day = 86_400;
const approval = { required: 1, by: ["user:anna"] };

/** Requires something of an image by tag, which two nodes of an image before wait for. */
function startGated(gatePolicy: object, options: Parameters<typeof createPoolFixture>[0] = {}): PoolFixture {
  const pool = newPool({ imageRef: "quay.io/example/myos:stable", gatePolicy });
  return createPoolFixture({ count: 2, digest: digestB, ...options, pool });
}

function decide({ ports: { nodePools, now } }: PoolFixture, parts: Partial<Approval> = {}): void {
  const workers = nodePools.pool("workers");
  const at = now().toISOString();
  const own = {
    user: "anna",
    groups: [],
    verdict: "approve",
    version: "stable",
    digest: digestB,
    skipsAge: false,
  } as const;
  nodePools.putPool({ ...workers, approvals: [{ ...own, at, message: "", ...parts }] });
}

const gatesOf = ({ ports: { nodePools } }: PoolFixture) =>
  nodePools.pool("workers").status.gates.map(({ name, reason, liftedBy }) => [name, reason, liftedBy]);

test("an image is staged once it is old enough, since a poll first saw it", async () => {
  const fixture = startGated({ minimumReleaseAgeSeconds: 3 * day });
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, stepAgents);
  ports.pass(2 * day);
  await runUntilComplete(ports, stepAgents);
  expect(ports.nodePools.writes).toEqual([]);
  expect(gatesOf(fixture)).toEqual([["minimumAge", "TooYoung", "pawl approve --skip-age"]]);
  ports.pass(day);
  await runUntilComplete(ports, stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

test.for([
  { pushed: digestB, gates: [] },
  { pushed: digestA, gates: [["minimumAge", "TooYoung", "pawl approve --skip-age"]] },
])("an image is as old as the registry says of its digest: $gates", async ({ pushed, gates }) => {
  const fixture = startGated({ minimumReleaseAgeSeconds: day });
  const at = new Map([["stable", { digest: pushed, at: "2026-11-01T00:00:00Z" }]]);
  const registry = { ...fixture.ports.registry, pushTimes: async () => at };
  await runUntilComplete({ ...fixture.ports, registry }, fixture.stepAgents);
  expect(gatesOf(fixture)).toEqual(gates);
});

test("a person skips the age of an image", async () => {
  const fixture = startGated({ minimumReleaseAgeSeconds: 3 * day });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  decide(fixture, { skipsAge: true });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

test.for([
  { when: "nothing is decided", parts: null, reason: "ApprovalRequired" },
  { when: "somebody else approves", parts: { user: "mallory" }, reason: "ApprovalRequired" },
  { when: "another digest is approved", parts: { digest: digestA }, reason: "ApprovalRequired" },
  { when: "it is rejected", parts: { verdict: "reject" as const }, reason: "Rejected" },
])("an image that needs an approval is not staged if $when", async ({ parts, reason }) => {
  const fixture = startGated({ approval });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  if (parts !== null) decide(fixture, parts);
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(fixture.ports.nodePools.writes).toEqual([]);
  expect(gatesOf(fixture)).toEqual([
    ["approval", reason, expect.stringContaining(`pawl approve bootcnodepool/workers stable@${digestB}`)],
  ]);
});

test("an approved image is rolled out, and asked about no more once all nodes have run it", async () => {
  const fixture = startGated({ approval });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  decide(fixture);
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
  decide(fixture, { verdict: "reject" });
  fixture.ports.nodePools.putNode({ ...fixture.ports.nodePools.node("w1"), bootcNode: null });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

test("an image is not approved by the lack of nodes: those that join later wait for a person", async () => {
  const joins = createPoolFixture({ count: 1 }).ports.nodePools.node("w1");
  const fixture = startGated({ approval, minimumReleaseAgeSeconds: day }, { count: 0 });
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, stepAgents);
  expect(ports.nodePools.pool("workers").status).toMatchObject({ targetDigest: digestB, deployedDigest: null });
  ports.nodePools.putNode(joins);
  await runUntilComplete(ports, stepAgents);
  expect(ports.nodePools.writes).toEqual([]);
  expect(gatesOf(fixture).map(([name]) => name)).toEqual(["minimumAge", "approval"]);
});

test("an image by digest is approved by the digest as a tag has it", async () => {
  const fixture = createPoolFixture({ pool: newPool({ gatePolicy: { approval } }) });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(fixture.ports.nodePools.writes).toEqual([]);
  decide(fixture, { version: digestB.replace(":", "-") });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

const scopes = (): Verifier["scopes"] => [{ repositories: ["quay.io/example"], namespaces: null, mode: "enforce" }];
const outcomeOf = (kind: "verified" | "unverified" | "warned") => ({ kind, digest: digestB, reason: "no signature" });

test.for([
  { answer: outcomeOf("unverified"), gates: [["signature", "Unverified", "a signature of the image"]] },
  { answer: new Unreachable("no answer"), gates: [["signature", "SignatureUnknown", "an answer of the registry"]] },
  {
    answer: new Forbidden("the function was deleted"),
    gates: [["signature", "SignatureUnknown", "the operator of Pawl"]],
  },
  { answer: new TypeError(""), gates: [["signature", "SignatureUnknown", "the operator of Pawl"]] },
])("an image that is not verified is not staged: $gates", async ({ answer, gates }) => {
  const fixture = startGated({});
  let result: ReturnType<typeof outcomeOf> | Error = answer;
  const asked: string[] = [];
  const verifier: Verifier = {
    scopes: scopes(),
    async verify(_, { image }) {
      asked.push(image);
      if (result instanceof Error) throw result;
      return result;
    },
  };
  const ports = { ...fixture.ports, verifier };
  await runUntilComplete(ports, fixture.stepAgents);
  expect(ports.nodePools.writes).toEqual([]);
  expect(gatesOf(fixture)).toEqual(gates);
  result = outcomeOf("verified");
  asked.length = 0;
  await runUntilComplete(ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
  expect(asked).toEqual([imageB]);
});

test("a rule of some namespaces is for no node pool", async () => {
  const fixture = startGated({});
  const own = scopes().map((scope) => ({ ...scope, namespaces: ["shop"] }));
  const verify = async () => outcomeOf("unverified");
  await runUntilComplete({ ...fixture.ports, verifier: { scopes: own, verify } }, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

test("a verifier that hangs keeps no round for longer than 15 s", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const verify = () => new Promise<never>(() => {});
  const gate = readSignatureGate({ scopes: scopes(), verify }, newPool(), imageB);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await gate).toMatchObject({
    reason: "SignatureUnknown",
    message: expect.stringMatching(/: no answer within 15 s$/),
  });
});

test("without its admission policy, an approval counts for nothing", async () => {
  const fixture = startGated({ approval }, { approvalProblem: () => "approvals prove nothing" });
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  decide(fixture);
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(gatesOf(fixture)).toEqual([["approval", "ApprovalUnverified", "the operator of Pawl"]]);
});
