import { expect, test } from "vitest";
import { countParkedDays, countUpdate } from "../../../bench/cost/count.ts";
import { monthlyCost, monthlyExtras } from "../../../bench/cost/monthly.ts";
import { countPollCalls } from "../../../bench/cost/poll-calls.ts";
import { readDocument } from "../../docs/document.ts";

test("counts the transitions and invocations of an update on the in-memory system", async () => {
  const fast = await countUpdate({ secondsToReady: 5, speed: 300 });
  const { transitions, invocations } = fast;
  expect(invocations).toBeGreaterThanOrEqual(3);
  // Between two Tasks there are a Choice, and a Wait of the loop.
  expect(transitions).toBeGreaterThan(2 * invocations);
  expect(transitions).toBeLessThan(100);
});

test.for([
  { updates: 0, calls: {} },
  { updates: 1, calls: { ListExecutions: 1 } },
  { updates: 450, calls: { ListExecutions: 1 } },
  { updates: 1001, calls: { ListExecutions: 2 } },
])("a poll with $updates updates in progress calls Step Functions once for a thousand", async ({ updates, calls }) => {
  expect(await countPollCalls(updates)).toEqual(calls);
});

test("an update that is parked takes at most 30 transitions a day, as docs/explanation/cost.md says", async () => {
  const days = await countParkedDays(3);
  for (const { transitions } of days) expect(transitions).toBeLessThanOrEqual(30);
  const [, first, later] = /\| scaled to 0 \| (\d+) \| (\d+) \|/.exec(readDocument("cost.md")) ?? [];
  expect([days[0]?.transitions, days[1]?.transitions].map(String)).toEqual([first, later]);
});

test("the table of docs/explanation/cost.md follows from the counts and prices that it names", () => {
  const text = readDocument("cost.md");
  const [, transitions, invocations] = /takes (\d+) transitions, (\d+) invocations/.exec(text) ?? [];
  const [, metrics, alarms] = /(\d+) custom metrics, and \d+ alarms with (\d+) metrics/.exec(text) ?? [];
  const counts = { transitions: Number(transitions), invocations: Number(invocations) };
  const rows = [100, 1000, 10_000, 100_000].map((workloads) => {
    const deployment = {
      workloads,
      updatesPerMonth: workloads,
      pollsPerMonth: 8640,
      metrics: Number(metrics),
      alarms: Number(alarms),
    };
    const { polls, updates, total } = monthlyCost(deployment, counts);
    return { workloads, polls, updates, total };
  });
  for (const { workloads, polls, updates, total } of rows) {
    const row = text.split("\n").find((line) => line.startsWith(`| ${workloads.toLocaleString("en-US")} |`)) ?? "";
    const cells = row.split("|").map((cell) => cell.trim());
    expect([cells[2], cells[3], cells[8]]).toEqual([polls, updates, total].map((dollars) => `$${dollars.toFixed(2)}`));
  }
});

test("the table of extras in docs/explanation/cost.md is what is calculated", () => {
  const [, table = ""] = readDocument("cost.md").split("| a stuck pool |");
  for (const workloads of [100, 1000, 10_000, 100_000]) {
    const cells = Object.values(monthlyExtras(workloads)).map((dollars: number) => `$${dollars.toFixed(2)}`);
    expect(table).toContain(`| ${workloads.toLocaleString("en-US")} | ${cells.join(" | ")} |`);
  }
});

test("what does not depend on workloads is most of the cost of a small deployment", () => {
  const counts = { transitions: 36, invocations: 12 };
  const base = { updatesPerMonth: 0, pollsPerMonth: 0, metrics: 13, alarms: 12, workloads: 100 };
  expect(monthlyCost(base, counts).total).toBeCloseTo(9.1);
  const updates = monthlyCost({ ...base, updatesPerMonth: 1000 }, counts).updates;
  expect(updates).toBeGreaterThan(36 * 0.025);
  expect(updates).toBeLessThan(1);
});
