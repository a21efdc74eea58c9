import { expect, test } from "vitest";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { member, pool, poolState, staged, unmanagedNode } from "../pools.ts";

const workers = pool();
const gpu = pool({ nodeSelector: { matchLabels: { gpu: "" } } }, { name: "gpu", uid: "pool-2" });
const both = { labels: { ...member("w").node.labels, gpu: "" } };

const others = [
  { when: "another pool selects a node of this one", other: gpu, overlap: true },
  { when: "that pool is being deleted", other: { ...gpu, isBeingDeleted: true }, overlap: false },
  { when: "its spec is invalid", other: { ...gpu, problems: ["nodeSelector: is missing"] }, overlap: false },
  { when: "it is the pool itself", other: { ...workers, name: "gpu" }, overlap: false },
];

test.for(others)("if $when, no slot is acquired: $overlap", ({ other, overlap }) => {
  const nodes = [member("w1", staged, both), member("w2", staged)];
  const state = poolState(nodes, { pool: workers, pools: [workers, other] });
  const reason = "the pools workers and gpu select w1; change one of their selectors";
  expect(state.noSlotReason).toBe(overlap ? reason : null);
  expect(planSteps(state).map(({ step }) => step.kind)).toEqual(overlap ? ["wait", "wait"] : ["acquire-slot", "wait"]);
  const degraded = computePoolStatus(state, null).conditions.find(({ type }) => type === "Degraded");
  expect(degraded).toMatchObject(
    overlap
      ? { reason: "NodeConflict", message: `No node acquires a slot: ${reason}` }
      : { reason: "Healthy", message: "" },
  );
});

test("the pool that does not own the node is refused too, and says who does", () => {
  const state = poolState([member("w1", staged, both), { ...unmanagedNode("w2"), node: null }], {
    pool: gpu,
    pools: [workers, gpu],
  });
  const message =
    "No node acquires a slot: the pools gpu and workers select w1; change one of their selectors. Nodes of another pool: w1 (workers)";
  expect(computePoolStatus(state, null).conditions).toContainEqual(expect.objectContaining({ message }));
});

test("a node that moves from one pool to another is no overlap", () => {
  const moved = member("w1", staged, { labels: { gpu: "" } });
  expect(poolState([moved], { pool: gpu, pools: [workers, gpu] }).overlap).toBeNull();
  expect(poolState([moved], { pool: { ...gpu, isBeingDeleted: true }, pools: [workers, gpu] }).overlap).toBeNull();
});
