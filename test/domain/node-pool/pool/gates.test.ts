import { expect, test } from "vitest";
import {
  type ClosedGate,
  type FoundGate,
  fromFoundGate,
  toFoundGate,
} from "../../../../functions/domain/gates/closed-gate.ts";
import { createMinimumAgeGate } from "../../../../functions/domain/gates/minimum-age.ts";
import {
  candidateTarget,
  gateSubject,
  isToBeStaged,
  judgedDigest,
  poolCandidate,
} from "../../../../functions/domain/node-pool/pool/gates.ts";
import type { NodePool } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { noon } from "../../../support/workloads.ts";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { approved, cordoned, imageA, imageB, imageC, member, pool, poolState, slotted, staged } from "../pools.ts";
import { unmanagedNode, updated } from "../pools.ts";

const frozen: ClosedGate = {
  name: "freeze",
  reason: "Frozen",
  message: "updates are frozen: incident 7",
  liftedBy: "pawl unfreeze",
};
const reason = 'it waits for freeze: updates are frozen: incident 7; run "pawl unfreeze"';
const unasked = { desiredImage: imageA, bootedDigest: imageA.slice(-71) };

test.for<{ when: string; node: PoolNode; step: object }>([
  { when: "has staged the image", node: member("w", staged), step: { kind: "wait", for: "slot", reason } },
  { when: "runs another image", node: member("w", unasked), step: { kind: "wait", for: "owner", reason } },
  { when: "joins", node: unmanagedNode("w"), step: { kind: "wait", for: "owner", reason } },
  {
    when: "is drained in its slot",
    node: member("w", slotted, { ...cordoned, missingProtection: [] }),
    step: { kind: "wait", for: "pods" },
  },
  { when: "is rebooted in its slot", node: member("w", approved, cordoned), step: { kind: "wait", for: "agent" } },
  {
    when: "is drained for an image before, and is not Ready",
    node: member("w", { ...slotted, desiredImage: imageC, stagedDigest: imageC.slice(-71) }, { ready: false }),
    step: { kind: "wait", for: "readiness" },
  },
])("while a gate is closed, a node that $when: $step.kind", ({ node, step }) => {
  const [plan] = planSteps(poolState([node], { gates: [frozen] }));
  expect(plan?.step).toMatchObject(step);
});

test("a pool that waits for gates is held, and its status says which they are and who lifts them", () => {
  const signature = { name: "signature", reason: "Unverified", message: "nobody has signed it" };
  const state = poolState([member("w1", staged), member("w2", updated)], { gates: [frozen, signature] });
  expect(assessWork(state)).toEqual({ kind: "held", reasons: [`${reason}; and for signature: nobody has signed it`] });
  const { gates, conditions } = computePoolStatus(state, null);
  expect(gates).toEqual([frozen, signature]);
  expect(conditions.find(({ type }) => type === "UpToDate")?.message).toMatch(
    /^1\/2 updated; .*; waits for freeze: .*"pawl unfreeze"; waits for signature: nobody has signed it$/,
  );
});

const status = { gates: [frozen] };
const failed = { failedDigests: [imageC.slice(-71)], rollbackImage: imageA, targetDigest: imageC.slice(-71) };

test.for([
  { when: "gates were recorded, and none was read since", of: pool({}, { status }), node: staged, gates: [frozen] },
  { when: "every node runs the image", of: pool({}, { status }), node: updated, gates: [] },
  {
    when: "the pool goes back",
    of: pool({ onHalt: "Rollback", imageRef: imageC }, { status: { ...status, ...failed } }),
    node: { desiredImage: imageC, bootedDigest: imageC.slice(-71) },
    gates: [],
  },
])("of a pool, $gates.length gates are closed if $when", ({ of, node, gates }) => {
  expect(poolState([member("w", node)], { pool: of }).gates).toEqual(gates);
});

const tag = "quay.io/example/myos:stable";
const age = { minimumReleaseAgeSeconds: 86_400 };
const approval = { approval: { required: 1, by: ["user:anna"] } };
const rolledOut = { deployedDigest: imageB.slice(-71) };

test.for<{ when: string; of: NodePool; digest: string | null }>([
  { when: "requires nothing", of: pool(), digest: null },
  { when: "requires an age", of: pool({ gatePolicy: age }), digest: imageB.slice(-71) },
  { when: "requires approvals", of: pool({ gatePolicy: approval }), digest: imageB.slice(-71) },
  { when: "has it on all nodes", of: pool({ gatePolicy: approval }, { status: rolledOut }), digest: null },
])("age and approvals judge the image of a pool that $when: $digest", ({ of, digest }) => {
  expect(judgedDigest(of, imageB)).toBe(digest);
});

test.for([
  { imageRef: tag, targetSince: noon, version: "stable", since: "2026-11-20T12:00:00Z" },
  { imageRef: imageB, targetSince: null, version: `sha256-${"b".repeat(64)}`, since: "" },
])("what people approve of $imageRef has a version: $version", ({ imageRef, targetSince, version, since }) => {
  const of = pool({ imageRef, gatePolicy: age }, { status: { targetSince } });
  const candidate = poolCandidate(of, imageB.slice(-71));
  expect(candidate).toEqual({ version, digest: imageB.slice(-71), since });
  const target = candidateTarget(of, candidate);
  expect(target).toEqual({ kind: "image", image: `quay.io/example/myos:${version}`, digest: candidate.digest });
  const closed = createMinimumAgeGate([candidate], null).evaluate(gateSubject(of), target, noon);
  expect(closed?.liftedBy).toBe("pawl approve --skip-age");
});

test.for([
  { when: "all nodes are requested to run it", nodes: [member("w", staged)], isAsked: false },
  { when: "a node is not", nodes: [member("w", unasked)], isAsked: true },
  { when: "a node joins", nodes: [unmanagedNode("w")], isAsked: true },
])("whether an image must be staged if $when: $isAsked", ({ nodes, isAsked }) => {
  expect(isToBeStaged(poolState(nodes).membership, imageB)).toBe(isAsked);
});

test.for([frozen, { ...frozen, until: noon, since: noon }])("a gate is the same as plain JSON: %o", (gate) => {
  expect(fromFoundGate(JSON.parse(JSON.stringify(toFoundGate(gate))) as FoundGate)).toEqual(gate);
});
