import { expect, test } from "vitest";
import { dueMetrics } from "../../../functions/domain/analysis/due-metrics.ts";
import { awaitJob, measure } from "../../../functions/domain/analysis/measure.ts";
import type { AnalysisState } from "../../../functions/domain/analysis/state.ts";
import { afterSeconds, analysis, errorRate, measured, outcomes } from "./samples.ts";

const smoke = { name: "smoke", job: { name: "smoke-test", timeout: "1m" } };
const slow = { name: "slow", job: { name: "slow-test", timeout: "1m" } };
const spec = analysis({ metrics: [errorRate, smoke, slow], interval: "1m", deadline: "1h", count: 2 });
const none = measured("");
const begun = awaitJob(none, "smoke", "u-1");
/** The first Job has a result, and the second one runs. */
const repeated = awaitJob(measure(none, "smoke", outcomes.p, afterSeconds(0)), "slow", "u-2");
const failed = measure(begun, "slow", outcomes.f, afterSeconds(1));

test.for<{
  when: string;
  state: AnalysisState;
  seconds: number;
  isRecorded?: boolean;
  isEnding?: boolean;
  due: readonly string[];
  later?: Readonly<Record<string, number>>;
}>([
  {
    when: "a run begins",
    state: none,
    seconds: 0,
    isRecorded: false,
    due: ["error-rate"],
    later: { smoke: 1, slow: 1 },
  },
  { when: "its start is recorded", state: none, seconds: 1, due: ["error-rate", "smoke", "slow"] },
  { when: "a Job runs", state: begun, seconds: 20, due: ["error-rate", "smoke", "slow"] },
  { when: "a Job has ended", state: repeated, seconds: 20, due: ["error-rate", "slow"] },
  { when: "a Job is due again", state: repeated, seconds: 61, due: ["error-rate", "smoke", "slow"] },
  {
    when: "a Job is due at the end",
    state: repeated,
    seconds: 61,
    isEnding: true,
    due: ["error-rate", "slow"],
    later: { smoke: 60 },
  },
  {
    when: "a Job was never measured at the end",
    state: none,
    seconds: 61,
    isEnding: true,
    due: ["error-rate", "smoke", "slow"],
  },
  { when: "the deadline has passed", state: none, seconds: 3600, due: [] },
  { when: "a Job runs past the deadline", state: begun, seconds: 3600, due: ["smoke"] },
  { when: "another metric has failed", state: failed, seconds: 20, due: [] },
])("what is due, $when: $due", ({ state, seconds, due, later = {}, isRecorded = true, isEnding = false }) => {
  const found = dueMetrics(spec, state, afterSeconds(seconds), { isRecorded, isEnding });
  expect(found.due.map(({ name }) => name)).toEqual(due);
  expect(Object.fromEntries(found.later)).toEqual(later);
});
