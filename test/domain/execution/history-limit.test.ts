import { needsContinuation, poolNeedsContinuation } from "../../../functions/domain/execution/history-limit.ts";
import { after, noon } from "../../support/workloads.ts";
import { expect, test } from "vitest";

const started = noon.toISOString();

test.for([
  { when: "a day of checks once a minute", minutes: 1440, every: undefined, continues: false },
  { when: "more than a day", minutes: 1441, every: undefined, continues: true },
  { when: "24 minutes of checks every second", minutes: 24, every: 1, continues: false },
  { when: "more than 24 minutes", minutes: 25, every: 1, continues: true },
  { when: "a day of checks once an hour", minutes: 1440, every: 3600, continues: false },
  { when: "more than a day of checks once an hour", minutes: 1441, every: 3600, continues: true },
])("$when: $continues", ({ minutes, every, continues }) => {
  expect(needsContinuation(started, after(minutes), every)).toBe(continues);
});

test("a malformed start time never continues", () => {
  expect(needsContinuation("yesterday", after(100_000))).toBe(false);
});

test.for([
  { when: "the first round", rounds: 1, minutes: 0, continues: false },
  { when: "299 rounds", rounds: 299, minutes: 60, continues: false },
  { when: "300 rounds", rounds: 300, minutes: 60, continues: true },
  { when: "3 hours", rounds: 12, minutes: 180, continues: false },
  { when: "more than 3 hours", rounds: 12, minutes: 181, continues: true },
])("$when: $continues", ({ rounds, minutes, continues }) => {
  expect(poolNeedsContinuation(rounds, noon.toISOString(), after(minutes))).toBe(continues);
});

test.for([
  { rounds: 299, continues: false },
  { rounds: 300, continues: true },
])("with a malformed start time only the rounds count: $rounds, $continues", ({ rounds, continues }) => {
  expect(poolNeedsContinuation(rounds, "yesterday", after(100_000))).toBe(continues);
});
