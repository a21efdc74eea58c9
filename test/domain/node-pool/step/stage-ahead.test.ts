import { expect, test } from "vitest";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { after } from "../../../support/workloads.ts";
import {
  digestB,
  failing,
  imageA,
  member,
  pool,
  poolState,
  slotted,
  staged,
  staging,
  unmanagedNode,
  updated,
} from "../pools.ts";

/** Runs image A, and nothing else is requested of it. */
const old = { desiredImage: imageA };
const olds = ["m", "n", "o"].map((name) => member(name, old));

const cases: readonly {
  when: string;
  nodes: readonly PoolNode[];
  spec?: Partial<NodePoolSpec>;
  minutes?: number;
  waiting: readonly string[];
}[] = [
  { when: "nothing is staged yet", nodes: olds, waiting: ["n", "o"] },
  { when: "all may stage", nodes: olds, spec: { stageAhead: null }, waiting: [] },
  { when: "two may stage", nodes: olds, spec: { stageAhead: 2 }, waiting: ["o"] },
  { when: "one is staging", nodes: [member("a", staging), ...olds], waiting: ["m", "n", "o"] },
  { when: "one is staged and holds a slot", nodes: [member("a", slotted), ...olds], waiting: ["n", "o"] },
  { when: "one cannot stage", nodes: [member("a", failing), ...olds], waiting: ["n", "o"] },
  { when: "one has staged nothing for an hour", nodes: [member("a"), ...olds], minutes: 61, waiting: ["n", "o"] },
  {
    when: "one is staged and cordoned",
    nodes: [member("a", staged, { unschedulable: true }), ...olds],
    waiting: ["n", "o"],
  },
  {
    when: "the first one is not Ready",
    nodes: [member("a", old, { ready: false }), ...olds],
    waiting: ["n", "o", "a"],
  },
  { when: "one has succeeded", nodes: [member("a", updated), ...olds], waiting: [] },
  {
    when: "one runs it and still holds its slot",
    nodes: [member("a", { ...slotted, ...updated }), ...olds],
    waiting: ["n", "o"],
  },
  {
    when: "one of two slots has succeeded",
    nodes: [member("a", updated), ...olds],
    spec: { maxUnavailable: { unit: "percent", amount: 50 } },
    waiting: ["n", "o"],
  },
  { when: "one joins", nodes: [member("a", staging), unmanagedNode("w")], waiting: ["w"] },
  {
    when: "one that holds the slot has lost its BootcNode",
    nodes: [member("a", staging), unmanagedNode("w", { unschedulable: true, cordonedByPool: "workers" })],
    waiting: [],
  },
  { when: "only joining ones are left", nodes: [unmanagedNode("w"), unmanagedNode("x")], waiting: ["x"] },
];

test.for(cases)(
  "with stageAhead 1, if $when, these do not stage: $waiting",
  ({ nodes, spec, minutes = 0, waiting }) => {
    const state = poolState(nodes, { pool: pool({ stageAhead: 1, ...spec }), now: after(minutes) });
    expect([...state.notYetStaging]).toEqual(waiting);
    const steps = planSteps(state).filter(({ name }) => waiting.includes(name));
    for (const { step } of steps)
      expect(step).toMatchObject({ kind: "wait", for: "slot", reason: expect.stringContaining("stageAhead") });
    expect(steps).toHaveLength(waiting.length);
  },
);

test("every node that has the failed image staged gets the one that it runs, whatever stageAhead is", () => {
  const rolledBack = pool({ stageAhead: 1, onHalt: "Rollback" }, { status: { failedDigests: [digestB] } });
  const state = poolState([member("a", staged), member("b", staged)], { pool: rolledBack });
  expect([...state.notYetStaging]).toEqual([]);
  const step = { kind: "request-image", desired: { image: imageA } };
  expect(planSteps(state)).toMatchObject([{ step }, { step }]);
});
