import { describe, expect, test } from "vitest";
import { createFairQueue } from "../../../functions/domain/budget/fair-queue.ts";

/** Queues work of these namespaces behind some that runs, and returns the order in which it started. */
async function orderOf(
  namespaces: readonly string[],
  used: Readonly<Record<string, number>> = {},
  limit = Number.POSITIVE_INFINITY,
) {
  const order: string[] = [];
  const queue = createFairQueue({ concurrency: 1, limitOf: () => limit, clock: () => 0 });
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
    const queue = createFairQueue({ concurrency: 1, limitOf: () => 10, resource: "requests", clock: () => time });
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
          message: "namespace a used 1,234 requests of 10, and other namespaces waited; the next poll tries again",
        },
      });
    expect(await recent).toBe(4);
    await first;
  });

  test("is refused also if nothing else of its namespace waits", async () => {
    let time = 0;
    const queue = createFairQueue({ concurrency: 1, limitOf: () => 10, resource: "requests", clock: () => time });
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
