import { meets } from "./condition.ts";
import type { Reading } from "./reading.ts";
import type { Criterion } from "./spec.ts";

/** Ordered by nothing: four different things, each with a limit of its own. */
export type Verdict = "pass" | "fail" | "inconclusive" | "error";

/** What one measurement came to. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Always finite; null where there is no such value. */
  readonly value: number | null;
  /** Why it did not pass; null where it did. */
  readonly note: string | null;
}

/**
 * Judges what a query said. With both conditions a failure goes first, and what meets neither is inconclusive; with one
 * the other is its negation (as in Argo Rollouts). No value, NaN, an infinity and several series prove nothing, whatever
 * the conditions say.
 */
export function judge(criterion: Criterion, reading: Reading): Outcome {
  if (reading.kind === "none") return inconclusive("the query returned nothing");
  if (reading.kind === "several") return inconclusive(`the query returned ${reading.count} series`);
  if (!Number.isFinite(reading.value)) return inconclusive(`the query returned ${reading.value}`);
  return judgeValue(criterion, reading.value);
}

/** A query that could not be asked or was refused. */
export function unmeasured(reason: string): Outcome {
  return { verdict: "error", value: null, note: reason };
}

function judgeValue({ success, failure }: Criterion, value: number): Outcome {
  if (failure !== null && meets(value, failure)) return { verdict: "fail", value, note: `${value}: ${failure.text}` };
  if (success === null || meets(value, success)) return { verdict: "pass", value, note: null };
  if (failure === null) return { verdict: "fail", value, note: `${value}: not ${success.text}` };
  return { verdict: "inconclusive", value, note: `${value}: neither ${success.text} nor ${failure.text}` };
}

function inconclusive(note: string): Outcome {
  return { verdict: "inconclusive", value: null, note };
}
