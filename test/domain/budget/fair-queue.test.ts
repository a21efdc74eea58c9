import { describe, expect, test } from "vitest";
import { createFairQueue } from "../../../functions/domain/budget/fair-queue.ts";
import { defaultNamespaceLimits } from "../../../functions/domain/budget/limits.ts";

const resources = ["requests"] as const;
const limitsOf = (requests: number) => ({ ...defaultNamespaceLimits, requests });

/** Queues work of these namespaces behind some that runs, and returns the order in which it started. */
async function orderOf(
  namespaces: readonly string[],
  used: Readonly<Record<string, number>> = {},
  limit = Number.POSITIVE_INFINITY,
) {
  const order: string[] = [];
  const queue = createFairQueue({ concurrency: 1, resources, limitsOf: () => limitsOf(limit), clock: () => 0 });
  for (const [namespace, amount] of Object.entries(used)) queue.spend(namespace, amount);
  const gate = Promise.withResolvers<void>();
  const first = queue.run("first", () => gate.promise);
  const all = namespaces.map((namespace) => queue.run(namespace, async () => void order.push(namespace)));
  gate.resolve();
  await Promise.all([first, ...all]);
  return order.join("");
}

describe("namespaces take turns", () => {
  test.for([
    { namespaces: "aaaab", order: "abaaa" },
    { namespaces: "aabbcc", order: "abcabc" },
    { when: "one has used less", namespaces: "aabb", used: { a: 2, b: 1 }, order: "bbaa" },
    { when: "one is above its limit", namespaces: "aabbc", used: { a: 11, b: 12, c: 10 }, limit: 10, order: "caabb" },
    { when: "it is alone above its limit", namespaces: "aa", used: { a: 100 }, limit: 10, order: "aa" },
  ])("$namespaces: $order", async ({ namespaces, used, limit, order }) => {
    expect(await orderOf(namespaces.split(""), used, limit)).toBe(order);
  });
});

test("a namespace with less that runs comes first", async () => {
  const queue = createFairQueue({ concurrency: 2, clock: () => 0 });
  const order: string[] = [];
  const gates = [0, 1].map(() => Promise.withResolvers<void>());
  const running = gates.map((gate) => queue.run("a", () => gate.promise));
  const rest = ["a", "a", "b"].map((one) => queue.run(one, async () => void order.push(one)));
  gates[0]?.resolve();
  await rest[2];
  expect(order[0]).toBe("b");
  gates[1]?.resolve();
  await Promise.all([...running, ...rest]);
  expect(order).toEqual(["b", "a", "a"]);
});

test("what is urgent comes before other work of its namespace", async () => {
  const queue = createFairQueue({ concurrency: 1, clock: () => 0 });
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run("a", () => gate.promise);
  const names = ["one", "two", "urgent"];
  const rest = names.map((name) => queue.run("a", async () => void order.push(name), name === "urgent"));
  gate.resolve();
  await Promise.all([first, ...rest]);
  expect(order).toEqual(["urgent", "one", "two"]);
});

test("a place is free again after work that failed, and the concurrency may grow", async () => {
  const queue = createFairQueue({ concurrency: 1, clock: () => 0 });
  await expect(queue.run("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await queue.run("a", async () => 1)).toBe(1);
  const gate = Promise.withResolvers<void>();
  const first = queue.run("a", () => gate.promise);
  const second = queue.run("a", async () => 2);
  queue.concurrency = 2;
  expect(queue.concurrency).toBe(2);
  expect(await second).toBe(2);
  gate.resolve();
  await first;
});

describe("what is above its limit", () => {
  test("is refused once it has waited for others for a minute", async () => {
    let time = 0;
    const queue = createFairQueue({ concurrency: 1, resources, limitsOf: () => limitsOf(10), clock: () => time });
    queue.spend("a", 1234.4);
    const gate = Promise.withResolvers<void>();
    const first = queue.run("b", () => gate.promise);
    const late = [queue.run("a", async () => 1), queue.run("a", async () => 2)];
    const next = queue.run("b", async () => 3);
    const settled = Promise.allSettled(late);
    time = 60_001;
    const recent = queue.run("a", async () => 4);
    gate.resolve();
    expect(await next).toBe(3);
    for (const one of await settled)
      expect(one).toMatchObject({
        reason: {
          name: "BudgetExceeded",
          message:
            "namespace a used 1,234 requests to registries of 10, and other namespaces waited; the next poll tries again",
        },
      });
    expect(await recent).toBe(4);
    await first;
  });

  test("is refused also if nothing else of its namespace waits", async () => {
    let time = 0;
    const queue = createFairQueue({ concurrency: 1, resources, limitsOf: () => limitsOf(10), clock: () => time });
    queue.spend("a", 11);
    const gate = Promise.withResolvers<void>();
    const first = queue.run("b", () => gate.promise);
    const late = Promise.allSettled([queue.run("a", async () => 1)]);
    const next = queue.run("b", async () => 3);
    time = 60_001;
    gate.resolve();
    await Promise.all([first, next]);
    expect(await late).toMatchObject([{ reason: { name: "BudgetExceeded" } }]);
  });
});

test("several resources: what exceeds any of them waits, and the message names it", async () => {
  let time = 0;
  const limits = { ...defaultNamespaceLimits, cpuMilliseconds: 10, expressionSteps: 100 };
  const queue = createFairQueue({
    concurrency: 1,
    resources: ["cpuMilliseconds", "expressionSteps"],
    limitsOf: () => limits,
    clock: () => time,
  });
  queue.spend("a", 1);
  queue.spend("a", 101, "expressionSteps");
  queue.spend("b", 9);
  const gate = Promise.withResolvers<void>();
  const first = queue.run("b", () => gate.promise);
  const late = Promise.allSettled([queue.run("a", async () => 1)]);
  const next = queue.run("b", async () => 2);
  time = 60_001;
  gate.resolve();
  await Promise.all([first, next]);
  const message = expect.stringContaining("a used 101 steps of tag patterns and version constraints of 100,");
  expect(await late).toMatchObject([{ reason: { message } }]);
});

describe("connections", () => {
  const limitsOfConnections = () => ({ ...defaultNamespaceLimits, connections: 2 });
  const open = (clock: () => number) =>
    createFairQueue({ concurrency: 3, resources: ["requests", "connections"], limitsOf: limitsOfConnections, clock });

  test("a namespace alone may have more than its limit", async () => {
    const queue = open(() => 0);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const all = Array.from({ length: 3 }, () => queue.run("a", async () => ((running += 1), gate.promise)));
    expect(running).toBe(3);
    gate.resolve();
    await Promise.all(all);
  });

  test("what is above it while others wait is refused after a minute", async () => {
    let time = 0;
    const queue = open(() => time);
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const running = gates.map((gate, index) => queue.run(index === 2 ? "b" : "a", () => gate.promise));
    const late = Promise.allSettled([queue.run("a", async () => 1)]);
    const next = queue.run("b", async () => 2);
    time = 60_001;
    gates[2]?.resolve();
    expect(await next).toBe(2);
    const message = expect.stringContaining("namespace a used 3 connections to registries of 2,");
    expect(await late).toMatchObject([{ reason: { name: "BudgetExceeded", message } }]);
    for (const gate of gates) gate.resolve();
    await Promise.all(running);
  });
});
