import { fromEpoch } from "../text/rfc3339.ts";
import type { Outcome, Verdict } from "./judge.ts";
import { type AnalysisState, measurementsKept, type Tally } from "./state.ts";

const maxNoteLength = 80;

const emptyTally: Tally = {
  passes: 0,
  failures: 0,
  inconclusive: 0,
  errors: 0,
  consecutiveErrors: 0,
  consecutiveSuccesses: 0,
  measuredAt: null,
};

/** Returns a run that starts now. */
export function startAnalysis(now: Date): AnalysisState {
  return { startedAt: wholeSecond(now), tallies: new Map(), measurements: [] };
}

/** Returns the run with one more measurement. */
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

/** Consecutive successes end with any other verdict, and so do consecutive errors. */
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

/** Limits the space that a server's message takes in an annotation. */
function printable(note: string): string {
  return note.replace(/[^ -~]+/g, "?").slice(0, maxNoteLength);
}

function wholeSecond(date: Date): Date {
  return fromEpoch(Math.floor(date.getTime() / 1000) * 1000);
}
