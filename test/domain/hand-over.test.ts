import { expect, test } from "vitest";
import { isOverdue } from "../../functions/domain/hand-over.ts";
import { after, noon } from "../support/workloads.ts";

const started = noon.toISOString();

test.for([
  { when: "a day of looks once a minute", minutes: 1440, every: undefined, overdue: false },
  { when: "more than a day", minutes: 1441, every: undefined, overdue: true },
  { when: "24 minutes of looks every second", minutes: 24, every: 1, overdue: false },
  { when: "more than that", minutes: 25, every: 1, overdue: true },
  { when: "a day of looks once an hour", minutes: 1440, every: 3600, overdue: false },
  { when: "more than a day of looks once an hour", minutes: 1441, every: 3600, overdue: true },
])("$when: $overdue", ({ minutes, every, overdue }) => {
  expect(isOverdue(started, after(minutes), every)).toBe(overdue);
});

test("a start that cannot be read is no start", () => {
  expect(isOverdue("yesterday", after(100_000))).toBe(false);
});
