import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createMemoryBudget,
  MemoryExceeded,
  type MemoryShare,
} from "../../../functions/adapters/oci-registry/memory-budget.ts";
import { propertyRuns } from "../../support/property-runs.ts";

const fast = Number.MAX_SAFE_INTEGER;

test("the largest operation of the host that holds most is evicted", () => {
  const budget = createMemoryBudget(100, fast);
  const [small, large, other] = [budget.open("a"), budget.open("a"), budget.open("b")];
  small.hold(20);
  large.hold(31);
  other.hold(48);
  expect(large.signal.aborted).toBe(false);
  other.hold(2);
  expect([small, large, other].map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  expect(() => large.hold(1)).toThrow(MemoryExceeded);
});

test("of a namespace with many hosts, and one with a shared registry, the first gives way", () => {
  const budget = createMemoryBudget(1000, fast);
  const honest = Array.from({ length: 16 }, () => budget.open("shared", "honest"));
  for (const share of honest) share.hold(20);
  const hostile = Array.from({ length: 300 }, (_, index) => budget.open(`host-${index}`, "hostile"));
  for (const share of hostile) share.hold(5);
  expect(honest.filter(({ signal }) => signal.aborted)).toEqual([]);
});

describe("the limit of a namespace", () => {
  const limitOf = (payer: string) => (payer === "large" ? 80 : 20);
  const open = () => createMemoryBudget(100, fast, limitOf);

  test("binds only if all together are too much", () => {
    const [share, other] = ((budget) => [budget.open("a", "shop"), budget.open("b", "team")])(open());
    share?.hold(60);
    other?.hold(40);
    expect([share, other].map((one) => one?.signal.aborted)).toEqual([false, false]);
  });

  test("makes one above it give way before one that holds more below its own, and names both figures", () => {
    const budget = open();
    const [above, below] = [budget.open("a", "shop"), budget.open("b", "large")];
    above.hold(30);
    below.hold(70);
    below.hold(5);
    expect(below.signal.aborted).toBe(false);
    expect(above.signal.reason).toMatchObject({
      name: "BudgetExceeded",
      message:
        "namespace shop used 30 bytes of answers of registries of 20, and other namespaces waited; the next poll tries again",
    });
  });

  test("does not bind the only one", () => {
    expect(() => open().open("a", "shop").hold(101)).toThrow(MemoryExceeded);
  });
});

test("an operation alone may hold everything, and no more", () => {
  const share = createMemoryBudget(100, fast).open("a");
  share.hold(100);
  expect(() => share.hold(1)).toThrow(MemoryExceeded);
});

/** Returns the error if the operation was evicted. */
function holdOrError(share: MemoryShare, bytes: number): unknown {
  try {
    share.hold(bytes);
    return null;
  } catch (error) {
    return error;
  }
}

const step = fc.record({
  operation: fc.nat(19),
  action: fc.oneof(
    { arbitrary: fc.constant("hold" as const), weight: 5 },
    { arbitrary: fc.constant("release" as const), weight: 1 },
  ),
  bytes: fc.integer({ min: 1, max: 60 }),
});

test("all together never hold more; a host that holds at most its part is never evicted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 120 }), (hosts, steps) => {
      const maxBytes = 300;
      const budget = createMemoryBudget(maxBytes, fast);
      const operations = Array.from({ length: 20 }, (_, index) => ({
        host: index % hosts,
        bytes: 0,
        share: budget.open(String(index % hosts)),
      }));
      const heldBy = (host: number) =>
        operations.reduce((sum, one) => sum + (one.host === host && !one.share.signal.aborted ? one.bytes : 0), 0);
      for (const { operation: index, action, bytes } of steps) {
        const operation = operations[index];
        if (operation === undefined || operation.share.signal.aborted) continue;
        const before = operations.filter(({ share }) => !share.signal.aborted);
        if (action === "release") {
          operation.share.release();
          operations[index] = { ...operation, bytes: 0, share: budget.open(String(operation.host)) };
          continue;
        }
        operation.bytes += bytes;
        const parts = new Map(before.map(({ host }) => [host, heldBy(host)]));
        const held = holdOrError(operation.share, bytes);
        expect(held === null || held instanceof MemoryExceeded).toBe(true);
        const total = Array.from({ length: hosts }, (_, host) => heldBy(host)).reduce((sum, one) => sum + one, 0);
        expect(total).toBeLessThanOrEqual(maxBytes);
        for (const { host } of before.filter(({ share }) => share.signal.aborted))
          expect(parts.get(host)).toBeGreaterThan(maxBytes / hosts);
      }
    }),
    { numRuns: propertyRuns(200) },
  );
});
