import { expect, test } from "vitest";
import type { ClosedGate } from "../../../../functions/domain/gates/closed-gate.ts";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { approved, cordoned, imageA, imageC, member, pool, poolState, slotted, staged } from "../pools.ts";
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
    when: "is drained in its slot for an image before",
    node: member("w", { ...slotted, desiredImage: imageC, stagedDigest: imageC.slice(-71) }),
    step: { kind: "release-slot" },
  },
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
