import { describe, expect, test } from "vitest";
import { createAllowance } from "../../../functions/domain/budget/budget-exceeded.ts";
import { defaultNamespaceLimits, limitsOf, noLimitSettings } from "../../../functions/domain/budget/limits.ts";
import { createPollBudget } from "../../../functions/domain/budget/poll-budget.ts";
import { workload } from "../../support/workloads.ts";

/** Creates a budget whose clock advances by what the work says. */
function open() {
  let [time, pauses] = [0, 0];
  const budget = createPollBudget({ clock: () => time, cpuClock: () => time, pause: async () => void (pauses += 1) });
  const decide = (namespace: string, name: string, milliseconds: number) =>
    budget.decide({ ...workload().ref, namespace, name }, () => {
      time += milliseconds;
      return name;
    });
  return { budget, decide, pauses: () => pauses };
}

test("the ten workloads that took most CPU time are named", async () => {
  const { budget, decide, pauses } = open();
  for (let index = 1; index <= 12; index += 1) expect(await decide("shop", `app-${index}`, index)).toBe(`app-${index}`);
  await decide("shop", "cheap", 0);
  expect(budget.mostExpensive().map(({ workload: { name }, cpuMilliseconds }) => [name, cpuMilliseconds])).toEqual(
    Array.from({ length: 10 }, (_, index) => [`app-${12 - index}`, 12 - index]),
  );
  expect(pauses()).toBe(7);
});

test("a namespace that took much CPU time waits for the others", async () => {
  const { decide } = open();
  await decide("greedy", "first", 100);
  const order: string[] = [];
  const decided = [["greedy", "a"] as const, ["greedy", "b"] as const, ["shop", "c"] as const, ["shop", "d"] as const];
  await Promise.all(decided.map(async ([namespace, name]) => order.push(await decide(namespace, name, 1))));
  expect(order).toEqual(["a", "c", "d", "b"]);
});

test("a queue without a resource has no limit", async () => {
  const queue = open().budget.createQueue(1);
  queue.spend("a", 1e9);
  expect(await Promise.all([queue.run("a", async () => 1), queue.run("b", async () => 2)])).toEqual([1, 2]);
});

describe("the limits of a namespace", () => {
  test.for([
    { settings: noLimitSettings, limits: defaultNamespaceLimits },
    { settings: { namespace: { names: 5 }, overrides: {} }, limits: { ...defaultNamespaceLimits, names: 5 } },
    {
      settings: { namespace: { names: 5 }, overrides: { shop: { names: 7, requests: 1 } } },
      limits: { ...defaultNamespaceLimits, names: 7, requests: 1 },
    },
    { settings: { namespace: {}, overrides: { other: { names: 7 } } }, limits: defaultNamespaceLimits },
  ])("$settings", ({ settings, limits }) => {
    expect(limitsOf(settings, "shop")).toEqual(limits);
  });
});

test("an allowance names what was spent", () => {
  const allowance = createAllowance(1000, "steps");
  allowance.spend(1000);
  expect(() => allowance.spend(1)).toThrow("more than 1,000 steps");
});
