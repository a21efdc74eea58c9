import { expect, test } from "vitest";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import { appendRelease, compareReleases } from "../../../../functions/domain/workload/release/release.ts";
import { after as minutesAfterNoon } from "../../../support/workloads.ts";
import { newRelease, release } from "./releases.ts";

test.for([
  { when: "the first has number 1", list: [], keep: 10, numbers: [1] },
  { when: "the next follows the highest", list: [release(3), release(4)], keep: 10, numbers: [3, 4, 5] },
  { when: "the oldest go", list: [release(1), release(2), release(3)], keep: 2, numbers: [3, 4] },
  {
    when: "failures do not push out what succeeded",
    list: [release(1), release(2), release(3, { result: "Failed" as const })],
    keep: 3,
    numbers: [1, 2, 4],
    change: newRelease({ result: "Failed" }),
  },
])("$when", ({ list, keep, numbers, change = newRelease() }) => {
  const after = appendRelease(list, { ...change, revision: "app-9" }, keep);
  expect(after.map(({ number }) => number)).toEqual(numbers);
  expect(after.at(-1)).toMatchObject({ hash: "hash-9", revision: "app-9" });
});

test("a revision whose hash changed stays one release", () => {
  const list = [release(1), release(2)];
  const changed = { ...newRelease({ hash: "new" }), revision: "app-2" };
  expect(appendRelease(list, changed, 10)).toEqual([release(1), release(2, { hash: "new" })]);
});

test.for([
  { what: "a rollback that succeeds again", parts: { result: "Succeeded" }, count: 2 },
  { what: "a rollback from another release", parts: { result: "Succeeded", rolledBackFrom: 2 }, from: 3, count: 2 },
  { what: "one that fails from another release", parts: { result: "Failed", rolledBackFrom: 2 }, from: 3, count: 2 },
] as const)("to the same revision, $what is a new release", ({ parts, count, ...rest }) => {
  const list = [release(1, parts)];
  const from = "from" in rest ? { rolledBackFrom: rest.from } : {};
  const again = { ...newRelease({ ...parts, ...from, hash: "hash-1" }), revision: "app-1" };
  expect(appendRelease(list, again, 10)).toHaveLength(count);
});

test("a rollback that fails again in the same way is no other release, but has its time", () => {
  const parts = { result: "Failed", rolledBackFrom: 2 } as const;
  const again = { ...newRelease({ ...parts, hash: "hash-1", at: minutesAfterNoon(5) }), revision: "app-1" };
  expect(appendRelease([release(1, parts)], again, 10)).toMatchObject([{ number: 1, at: minutesAfterNoon(5) }]);
});

test.for([
  { when: "it failed now", change: newRelease({ result: "Failed" }) },
  { when: "it has another digest", change: newRelease({ digests: { app: "sha256:b" } }) },
])("the same revision is a new release if $when", ({ change }) => {
  const list = [release(1, { digests: { app: "sha256:a" } })];
  expect(appendRelease(list, { ...change, revision: "app-1" }, 10)).toHaveLength(2);
});

test.for([
  { one: {}, other: {}, is: "same" },
  { one: { a: "1" }, other: { a: "1" }, is: "same" },
  { one: { a: "1" }, other: { a: "2" }, is: "different" },
  { one: { a: "1", b: "1" }, other: { a: "1" }, is: "unknown" },
  { one: { a: "1", b: "1" }, other: { a: "2" }, is: "different" },
  { one: undefined, other: { b: "2" }, is: "unknown" },
  { one: { a: "1" }, other: undefined, is: "unknown" },
] as const)("$one and $other are compared: $is", ({ one, other, is }) => {
  const identity = (digests?: Digests) => ({ hash: "hash-1", ...(digests === undefined ? {} : { digests }) });
  expect(compareReleases(identity(one), identity(other))).toBe(is);
  expect(compareReleases(identity(one), { ...identity(other), hash: "hash-2" })).toBe("different");
});

test("one whose digests become known is completed, and keeps those that were", () => {
  const list = [release(1, { digests: { a: "1" } }), release(2)];
  const { hash, ...rest } = newRelease({ digests: { a: "2", b: "2" }, completes: 1 });
  expect(appendRelease(list, { ...rest, hash, revision: "app-9" }, 10)).toEqual([
    release(1, { digests: { a: "1", b: "2" } }),
    release(2),
  ]);
});
