import { expect, test } from "vitest";
import { appendRelease, isSameRecorded } from "../../../../functions/domain/workload/release/release.ts";
import { newRelease, release } from "./releases.ts";

test.for([
  { when: "the first has number 1", list: [], keep: 10, numbers: [1] },
  { when: "the next follows the highest", list: [release(3), release(4)], keep: 10, numbers: [3, 4, 5] },
  { when: "the oldest go", list: [release(1), release(2), release(3)], keep: 2, numbers: [3, 4] },
])("$when", ({ list, keep, numbers }) => {
  const after = appendRelease(list, { ...newRelease(), revision: "app-9" }, keep);
  expect(after.map(({ number }) => number)).toEqual(numbers);
  expect(after.at(-1)).toMatchObject({ hash: "hash-9", revision: "app-9" });
});

test("a revision whose hash changed stays one release", () => {
  const list = [release(1), release(2)];
  const changed = { ...newRelease({ hash: "new" }), revision: "app-2" };
  expect(appendRelease(list, changed, 10)).toEqual([release(1), release(2, { hash: "new" })]);
});

test.for([
  { when: "it failed now", change: newRelease({ result: "Failed" }) },
  { when: "it has another digest", change: newRelease({ digests: { app: "sha256:b" } }) },
])("the same revision is a new release if $when", ({ change }) => {
  const list = [release(1, { digests: { app: "sha256:a" } })];
  expect(appendRelease(list, { ...change, revision: "app-1" }, 10)).toHaveLength(2);
});

test.for([
  { one: { a: "1" }, other: { a: "1" }, same: true },
  { one: { a: "1" }, other: { a: "2" }, same: false },
  { one: { a: "1" }, other: { b: "2" }, same: true },
  { one: undefined, other: { b: "2" }, same: true },
  { one: { a: "1" }, other: undefined, same: true },
])("$one and $other are the same: $same", ({ one, other, same }) => {
  expect(isSameRecorded(one, other)).toBe(same);
});
