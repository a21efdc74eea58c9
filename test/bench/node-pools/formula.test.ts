import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../bench/node-pools/harness.ts";
import { nodeObject } from "../../../bench/node-pools/node-object.ts";
import { predictCost } from "../../../bench/node-pools/formula.ts";
import { measureRollout, type Rollout } from "../../../bench/node-pools/rollout.ts";
import { readOptions } from "../../../bench/node-pools/options.ts";
import { rolloutRows } from "../../../bench/node-pools/table.ts";
import { countHistoryEvent, type CostByExecution, sumCosts } from "../../../bench/node-pools/counters.ts";
import { countRequests } from "../../../bench/node-pools/traffic.ts";

const size = { nodes: 3, maxUnavailable: 2, pods: 2 };
const times = { staging: 60, grace: 10, reboot: 60 };

describe("a rollout of three nodes, two at a time", () => {
  let harness: Harness;
  let rollout: Rollout;

  beforeAll(async () => {
    harness = await openHarness(size, times);
    rollout = await measureRollout(harness, size);
  }, 60_000);

  afterAll(() => harness?.close());

  const predicted = predictCost(size, times);

  test("costs what the formula predicts", () => {
    const { cost } = rollout;
    expect(predicted).toMatchObject({ waves: 2, drains: 2 * 3, executions: 1 });
    expect(cost).toMatchObject({
      transitions: predicted.transitions,
      maxEvents: predicted.maxEvents,
      drains: predicted.drains,
    });
    expect(cost.reconciles - cost.executions).toBe(predicted.rounds);
    expect(countRequests(rollout.traffic) / predicted.requests).toBeCloseTo(1, 0);
  });

  test("evicts every pod, and writes to every node once per step", () => {
    const { requests } = rollout.traffic;
    // request-image, acquire-slot, approve, record-boot, release-slot and emitted-events; protect, cordon, uncordon and unprotect.
    expect(requests).toMatchObject({
      discover: 1,
      "create pods/eviction": 6,
      "patch bootcnodes": 6 * 3,
      "patch nodes": 4 * 3,
    });
  });

  test("a poll lists three resources for a completed pool, and makes at most five requests during a rollout", () => {
    expect(rollout.pollAfterRollout.requests).toEqual({
      "list bootcnodepools": 1,
      "list bootcnodes": 1,
      "list nodes as metadata": 1,
    });
    expect(countRequests(rollout.pollDuringRollout)).toBeLessThanOrEqual(5);
  });

  test("has a row with the ratio of each figure to the prediction", () => {
    const reconcileNodes = { peakBytes: 0, memoryMegabytes: 512 };
    const [head, row] = rolloutRows([{ ...rollout, predicted, reconcileNodes }]);
    expect(row).toHaveLength(head?.length ?? 0);
    expect(row).toContain(`${predicted.transitions} (1.00)`);
  });
});

test.for([
  { nodes: 10, maxUnavailable: "10%", waves: 10, executions: 1 },
  { nodes: 25, maxUnavailable: "10%", waves: 9, executions: 1 },
  { nodes: 20, maxUnavailable: 1, waves: 20, executions: 2 },
  { nodes: 100, maxUnavailable: 1, waves: 100, executions: 9 },
  { nodes: 1000, maxUnavailable: "10%", waves: 10, executions: 1 },
  { nodes: 600, maxUnavailable: "50%", waves: 2, executions: 1 },
])(
  "$nodes nodes, $maxUnavailable at a time, update in $waves waves",
  ({ nodes, maxUnavailable, waves, executions }) => {
    const predicted = predictCost({ nodes, maxUnavailable, pods: 10 }, { staging: 180, grace: 30, reboot: 240 });
    expect(predicted).toMatchObject({ waves, executions });
    expect(predicted.maxEvents).toBeLessThan(20_000);
  },
);

test("the default pools take one execution and several, and lists of one page and several", () => {
  const { pools } = readOptions([]);
  const scenario = { staging: 180, grace: 30, reboot: 240 };
  expect(new Set(pools.map((one) => predictCost(one, scenario).executions > 1))).toEqual(new Set([false, true]));
  expect(new Set(pools.map(({ nodes }) => nodes > 500))).toEqual(new Set([false, true]));
});

test("pools are read from the command line", () => {
  const { pools } = readOptions(["--pools", "10:10%,30:1"]);
  expect(pools).toEqual([
    { nodes: 10, maxUnavailable: "10%", pods: 10 },
    { nodes: 30, maxUnavailable: 1, pods: 10 },
  ]);
});

test("a Node has a realistic size", () => {
  const bytes = JSON.stringify(nodeObject("worker-0001", 1)).length;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(20_000);
});

test("each entered state and each retry is a transition", () => {
  const history = [
    ["TaskStateEntered", "ReconcileNodes"],
    ["TaskScheduled", "ReconcileNodes"],
    ["TaskFailed", "ReconcileNodes"],
    ["TaskScheduled", "ReconcileNodes"],
    ["TaskStateExited", "ReconcileNodes"],
    ["ChoiceStateEntered", "Next?"],
    ["ExecutionSucceeded", null],
  ] as const;
  const costs = history.reduce<CostByExecution>(
    (sum, [type, state]) => countHistoryEvent(sum, { execution: "roll", machine: "m", state, type, at: new Date(0) }),
    new Map(),
  );
  expect(sumCosts(costs)).toMatchObject({ transitions: 3, events: 7, reconciles: 1, executions: 1, maxEvents: 7 });
});
