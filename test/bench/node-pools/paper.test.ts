import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lab, openLab } from "../../../bench/node-pools/lab.ts";
import { nodeObject } from "../../../bench/node-pools/node-object.ts";
import { onPaper } from "../../../bench/node-pools/paper.ts";
import { measureRollout, type Rollout } from "../../../bench/node-pools/rollout.ts";
import { sizesOf } from "../../../bench/node-pools/scenario.ts";
import { rolloutRows } from "../../../bench/node-pools/table.ts";
import { tallied, type Tally, totalOf } from "../../../bench/node-pools/tally.ts";
import { requestsIn } from "../../../bench/node-pools/traffic.ts";

const size = { nodes: 3, maxUnavailable: 2, pods: 2 };
const times = { staging: 60, grace: 10, reboot: 60 };

describe("a rollout of three nodes, two at once", () => {
  let lab: Lab;
  let rollout: Rollout;

  beforeAll(async () => {
    lab = await openLab(size, times);
    rollout = await measureRollout(lab, size);
  }, 60_000);

  afterAll(() => lab?.close());

  const paper = onPaper(size, times);

  test("is what stands on paper", () => {
    const { cost } = rollout;
    expect(paper).toMatchObject({ waves: 2, drains: 2 * 3, executions: 1 });
    expect(cost).toMatchObject({ transitions: paper.transitions, mostEvents: paper.mostEvents, drains: paper.drains });
    expect(cost.steps - cost.executions).toBe(paper.rounds);
    expect(requestsIn(rollout.traffic) / paper.requests).toBeCloseTo(1, 0);
  });

  test("evicts every pod and writes to every node once for each of its steps", () => {
    const { requests } = rollout.traffic;
    // ask, take-slot, approve, free-slot and what is remembered; cordon and uncordon.
    expect(requests).toMatchObject({
      discover: 1,
      "create pods/eviction": 6,
      "patch bootcnodes": 5 * 3,
      "patch nodes": 2 * 3,
    });
  });

  test("a settled pool costs a poll three lists, and one under way no more than five", () => {
    expect(rollout.quietPoll.requests).toEqual({
      "list bootcnodepools": 1,
      "list bootcnodes": 1,
      "list nodes as metadata": 1,
    });
    expect(requestsIn(rollout.pollInFlight)).toBeLessThanOrEqual(5);
  });

  test("has a row with what each figure is to the paper", () => {
    const stepNodes = { peakBytes: 0, memoryMegabytes: 512 };
    const [head, row] = rolloutRows([{ ...rollout, paper, stepNodes }]);
    expect(row).toHaveLength(head?.length ?? 0);
    expect(row).toContain(`${paper.transitions} (1.00)`);
  });
});

test.for([
  { nodes: 10, maxUnavailable: "10%", waves: 10, executions: 1 },
  { nodes: 25, maxUnavailable: "10%", waves: 9, executions: 1 },
  { nodes: 100, maxUnavailable: 1, waves: 100, executions: 8 },
  { nodes: 1000, maxUnavailable: "10%", waves: 10, executions: 1 },
])("$nodes nodes, $maxUnavailable at once, are $waves waves", ({ nodes, maxUnavailable, waves, executions }) => {
  const paper = onPaper({ nodes, maxUnavailable, pods: 10 }, { staging: 180, grace: 30, reboot: 240 });
  expect(paper).toMatchObject({ waves, executions });
  expect(paper.mostEvents).toBeLessThan(20_000);
});

test("a hundred nodes are rolled one at a time too", () => {
  expect(sizesOf([10, 100]).map(({ maxUnavailable }) => maxUnavailable)).toEqual(["10%", "10%", 1]);
});

test("a Node is as large as a real one", () => {
  const bytes = JSON.stringify(nodeObject("worker-0001", 1)).length;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(20_000);
});

test("a state and each retry is a transition", () => {
  const told = [
    ["TaskStateEntered", "StepNodes"],
    ["TaskScheduled", "StepNodes"],
    ["TaskFailed", "StepNodes"],
    ["TaskScheduled", "StepNodes"],
    ["TaskStateExited", "StepNodes"],
    ["ChoiceStateEntered", "Next?"],
    ["ExecutionSucceeded", null],
  ] as const;
  const tally = told.reduce<Tally>(
    (sum, [type, state]) => tallied(sum, { execution: "roll", machine: "m", state, type, at: new Date(0) }),
    new Map(),
  );
  expect(totalOf(tally)).toMatchObject({ transitions: 3, events: 7, steps: 1, executions: 1, mostEvents: 7 });
});
