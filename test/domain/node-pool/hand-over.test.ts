import { expect, test } from "vitest";
import { nearsHistoryLimit } from "../../../functions/domain/node-pool/hand-over.ts";
import { after, noon } from "../../support/workloads.ts";

test.for([
  { when: "the first step", ticks: 1, minutes: 0, near: false },
  { when: "299 steps", ticks: 299, minutes: 60, near: false },
  { when: "300 steps", ticks: 300, minutes: 60, near: true },
  { when: "3 hours", ticks: 12, minutes: 180, near: false },
  { when: "more than 3 hours", ticks: 12, minutes: 181, near: true },
])("$when: $near", ({ ticks, minutes, near }) => {
  expect(nearsHistoryLimit(ticks, noon.toISOString(), after(minutes))).toBe(near);
});

test.for([
  { ticks: 299, near: false },
  { ticks: 300, near: true },
])("a start that cannot be read is no start: $ticks steps are $near", ({ ticks, near }) => {
  expect(nearsHistoryLimit(ticks, "yesterday", after(100_000))).toBe(near);
});
