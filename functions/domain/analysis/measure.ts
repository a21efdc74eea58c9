import { fromEpoch } from "../time.ts";
import type { Outcome, Verdict } from "./judge.ts";
import { type AnalysisState, measurementsKept, type Tally } from "./state.ts";

const longestNote = 80;

const emptyTally: Tally = {
  passes: 0,
  failures: 0,
  inconclusive: 0,
  errors: 0,
  consecutiveErrors: 0,
  consecutiveSuccesses: 0,
  measuredAt: null,
};

/** A run that begins now. */
export function startAnalysis(now: Date): AnalysisState {
  return { startedAt: wholeSecond(now), tallies: new Map(), measurements: [] };
}

/** The run with one measurement more. */
export function measure(state: AnalysisState, metric: string, outcome: Outcome, now: Date): AnalysisState {
  const at = wholeSecond(now);
  const { verdict } = outcome;
  // JSON has no negative zero.
  const value = outcome.value === null ? null : outcome.value + 0;
  const measurement = { metric, at, verdict, value, note: outcome.note === null ? null : printable(outcome.note) };
  return {
    startedAt: state.startedAt,
    tallies: new Map([...state.tallies, [metric, count(tallyOf(state, metric), verdict, at)]]),
    measurements: [...state.measurements, measurement].slice(-measurementsKept),
  };
}

export function tallyOf({ tallies }: AnalysisState, metric: string): Tally {
  return tallies.get(metric) ?? emptyTally;
}

/** Whatever is no pass ends a row of successes; whatever is no error ends a row of errors. */
function count(tally: Tally, verdict: Verdict, measuredAt: Date): Tally {
  return {
    passes: tally.passes + Number(verdict === "pass"),
    failures: tally.failures + Number(verdict === "fail"),
    inconclusive: tally.inconclusive + Number(verdict === "inconclusive"),
    errors: tally.errors + Number(verdict === "error"),
    consecutiveErrors: verdict === "error" ? tally.consecutiveErrors + 1 : 0,
    consecutiveSuccesses: verdict === "pass" ? tally.consecutiveSuccesses + 1 : 0,
    measuredAt,
  };
}

/** Bounds what it takes in an annotation, whatever a server wrote into its message. */
function printable(note: string): string {
  return note.replace(/[^ -~]+/g, "?").slice(0, longestNote);
}

function wholeSecond(date: Date): Date {
  return fromEpoch(Math.floor(date.getTime() / 1000) * 1000);
}
