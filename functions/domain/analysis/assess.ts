import { formatDuration } from "../duration.ts";
import { secondsBetween } from "../time.ts";
import type { Verdict } from "./judge.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";
import { type Standing, standingOf } from "./standing.ts";
import { tallyOf } from "./measure.ts";
import type { AnalysisState } from "./state.ts";

export type Assessment =
  /** `due` are the metrics to measure now; where there are none, `waitSeconds` says (whole, at least 1) for how long. */
  | { readonly kind: "running"; readonly waitSeconds: number; readonly due: readonly string[] }
  /** Only a pass may be promoted. */
  | { readonly kind: Verdict; readonly reason: string };

/** Argo Rollouts' own: an error is not asked again at once, nor as late as a value. */
const errorRetrySeconds = 10;

/** Pass is left out: all have to, where one is enough for these. */
const gravestFirst = ["fail", "error", "inconclusive"] as const;

/**
 * How a run stands. It ends with the first metric that does not pass, and passes when all of them have; a dry run never
 * decides. What was measured goes before the deadline: a run that came out late has come out.
 */
export function assess(spec: AnalysisSpec, state: AnalysisState, now: Date): Assessment {
  const standings = spec.metrics.filter(({ dryRun }) => !dryRun).map((metric) => standingOf(metric, state));
  for (const kind of gravestFirst) {
    const reason = reasonsOf(standings, kind);
    if (reason !== "") return { kind, reason };
  }
  if (standings.every(({ kind }) => kind === "pass")) return { kind: "pass", reason: reasonsOf(standings, "pass") };
  const leftSeconds = spec.deadlineSeconds - secondsBetween(state.startedAt, now);
  if (leftSeconds <= 0) return { kind: "inconclusive", reason: lateReason(spec, state) };
  return nextStep(spec, state, now, leftSeconds);
}

function nextStep(spec: AnalysisSpec, state: AnalysisState, now: Date, leftSeconds: number): Assessment {
  const waits = unfinished(spec, state).map((metric) => ({
    name: metric.name,
    seconds: secondsUntilDue(metric, spec, state, now),
  }));
  const due = waits.filter(({ seconds }) => seconds <= 0).map(({ name }) => name);
  const shortest = Math.min(leftSeconds, ...waits.map(({ seconds }) => seconds));
  return { kind: "running", waitSeconds: due.length > 0 ? 0 : Math.ceil(shortest), due };
}

/** Dry runs among them: they are measured for as long as the run goes on. */
function unfinished(spec: AnalysisSpec, state: AnalysisState): readonly MetricSpec[] {
  return spec.metrics.filter((metric) => standingOf(metric, state).kind === "running");
}

function secondsUntilDue({ name }: MetricSpec, spec: AnalysisSpec, state: AnalysisState, now: Date): number {
  const { measuredAt, consecutiveErrors } = tallyOf(state, name);
  if (measuredAt === null) return spec.initialDelaySeconds - secondsBetween(state.startedAt, now);
  const pause = consecutiveErrors > 0 ? errorRetrySeconds : spec.intervalSeconds;
  return pause - secondsBetween(measuredAt, now);
}

function lateReason(spec: AnalysisSpec, state: AnalysisState): string {
  const names = unfinished(spec, state)
    .filter(({ dryRun }) => !dryRun)
    .map(({ name }) => name);
  return `not decided within ${formatDuration(spec.deadlineSeconds)}: ${names.join(", ")}`;
}

function reasonsOf(standings: readonly Standing[], kind: Verdict): string {
  return standings.flatMap((standing) => (standing.kind === kind ? [standing.reason] : [])).join("; ");
}
