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
  expect(pauses()).toBe(9);
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
  let reported = 0;
  const allowance = createAllowance(1000, "steps", (amount) => void (reported += amount));
  allowance.spend(1000);
  expect(() => allowance.spend(1)).toThrow("more than 1,000 steps");
  expect(reported).toBe(1001);
});

describe("what a namespace may cause in one poll", () => {
  const settings = { namespace: { records: 2 }, overrides: { large: { records: 3 } } };
  const budget = () => createPollBudget({ settings, clock: () => 0, cpuClock: () => 0, pause: async () => undefined });
  const wasWritten = (result: string) => result === "recorded";

  test.for([
    { namespace: "shop", max: 2 },
    { namespace: "large", max: 3 },
  ])("$namespace: $max, also if nobody else waits", async ({ namespace, max }) => {
    const { cause } = budget();
    for (let count = 0; count < max; count += 1)
      expect(await cause(namespace, "records", async () => "recorded", wasWritten)).toBe("recorded");
    await expect(cause(namespace, "records", async () => "recorded", wasWritten)).rejects.toMatchObject({
      name: "BudgetExceeded",
      message: `namespace ${namespace} has caused ${max} written decisions, which is the limit of one poll; the next poll continues`,
    });
    expect(await cause("other", "records", async () => "recorded", wasWritten)).toBe("recorded");
    expect(await cause(namespace, "executions", async () => "recorded", wasWritten)).toBe("recorded");
  });

  test("what caused nothing does not count", async () => {
    const { cause } = budget();
    for (let count = 0; count < 5; count += 1)
      expect(await cause("shop", "records", async () => "none", wasWritten)).toBe("none");
  });
});

test("steps of expressions count for the namespace, whose next decision waits for others", async () => {
  const settings = { namespace: { expressionSteps: 100 }, overrides: {} };
  const budget = createPollBudget({ settings, clock: () => 0, cpuClock: () => 0, pause: async () => undefined });
  const decide = (namespace: string, steps: number) =>
    budget.decide({ ...workload().ref, namespace }, (onSteps) => (onSteps(steps), order.push(namespace)));
  const order: string[] = [];
  await decide("greedy", 101);
  await Promise.all([decide("shop", 1), decide("greedy", 1), decide("shop", 1), decide("shop", 1)]);
  expect(order).toEqual(["greedy", "shop", "shop", "shop", "greedy"]);
});
