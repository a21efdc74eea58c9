import type { Ports } from "../../contract/ports.ts";
import type { TaskOutput } from "../../contract/workload-update.ts";
import { withoutEnd } from "../../domain/analysis/bake-run.ts";
import { startAnalysis, wholeSecond } from "../../domain/analysis/measure.ts";
import { pauseAnalysis, resumeAnalysis } from "../../domain/analysis/pause.ts";
import type { AnalysisPause, AnalysisState } from "../../domain/analysis/state.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import { assessBake, type BakeObservation, bakingClaim, bakingSince } from "../../domain/workload/bake/assess-bake.ts";
import type { ObservedClaim } from "./observe-claim.ts";
import type { Readiness } from "../../domain/workload/update/readiness.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { readAnalysis } from "../read-analysis.ts";
import { assessUpdate } from "./assess-update.ts";
import { runAnalysis } from "./run-analysis.ts";
import { keepClaim } from "./wait-result.ts";
import { describeProblems } from "../../domain/workload/policy/problem.ts";

type Output = TaskOutput<"AnalyzeRollout">;
type BakePorts = Pick<Ports, "cluster" | "metricProvider" | "now">;

/** What a step saw, and the run after it. */
interface Observed {
  readonly state: AnalysisState;
  readonly seen: BakeObservation;
}

/**
 * Checks and measures an update whose replicas were all ready, records what it saw, and returns the result of the step. Pods or a
 * metric that failed roll it back. If anything is unknown, the update is recorded, with the reason.
 */
export async function bakeUpdate(ports: BakePorts, claim: ObservedClaim, executionStartedAt: string): Promise<Output> {
  const { inFlight } = claim;
  // What was measured before the bake time is of the canary.
  const analysis = bakingSince(inFlight) === null ? null : claim.workload.analysis;
  const workload = { ...claim.workload, analysis };
  const { bake } = workload.policy;
  if (bake === null) return { kind: "pass", waitSeconds: 0, reason: "its bake time was removed" };
  const since = bakingSince(inFlight) ?? wholeSecond(ports.now());
  const pods = await assessUpdate(ports, { ...bakingClaim({ ...claim, workload }, ports.now()), pods: claim.pods });
  // A pod that its owner no longer freezes is not replaced any more.
  const isReady = pods.kind === "ready" || pods.kind === "roll";
  if (!isReady && pods.kind !== "progressing" && pods.kind !== "waiting")
    return { kind: hasFailed(pods) ? "fail" : "unknown", waitSeconds: 0, reason: pods.reason };
  const elapsedSeconds = secondsBetween(since, ports.now());
  const isEnding = bake.seconds !== null && elapsedSeconds >= bake.seconds;
  const { state, seen } = isReady
    ? await measure(ports, { ...claim, workload }, isEnding)
    : wait(workload, pods, ports.now());
  const verdict = assessBake(bake, elapsedSeconds, seen, ports.now());
  const waitSeconds = verdict.kind === "running" ? verdict.waitSeconds : 0;
  const isNoted = bakingSince(inFlight) !== null && state === analysis;
  const noted = isNoted ? null : { analysis: state, observation: { kind: "baking", since } as const };
  await keepClaim(ports, claim.workload, waitSeconds, noted);
  const isLong = verdict.kind === "running" && needsContinuation(executionStartedAt, ports.now(), waitSeconds);
  return { kind: isLong ? "continue" : verdict.kind, waitSeconds, reason: verdict.reason };
}

function hasFailed({ kind }: Readiness): boolean {
  return kind === "expired" || kind === "fail";
}

/** Pods that are not ready: nothing is measured. */
function wait(
  { analysis }: Workload,
  pods: Extract<Readiness, { readonly kind: "progressing" | "waiting" }>,
  now: Date,
): Observed {
  if (pods.kind === "waiting") return unjudged(analysis, "Waiting", pods.reason, now);
  const { waitSeconds, reason } = pods;
  return { state: pauseAnalysis(analysis, "NotReady", reason, now), seen: { kind: "unready", waitSeconds, reason } };
}

/** All pods are ready: takes the measurements that are due. */
async function measure(ports: BakePorts, claim: ObservedClaim, isEnding: boolean): Promise<Observed> {
  const { workload } = claim;
  const { analysis, problems, policy } = workload;
  const now = ports.now();
  if (problems.length > 0) return unjudged(analysis, "Invalid", describeProblems(problems), now);
  const spec = await readAnalysis(ports, workload, "rollout");
  const previous = analysis && resumeAnalysis(analysis);
  if (spec === null) return { state: previous ?? startAnalysis(now), seen: { kind: "ready" } };
  if (spec.kind === "invalid") return unjudged(analysis, "Invalid", spec.reason, now);
  const { state, assessment } = await runAnalysis(
    ports,
    claim,
    policy.bake?.seconds === null ? spec : withoutEnd(spec),
    previous,
    isEnding,
  );
  return { state, seen: { kind: "measured", spec, state, assessment } };
}

function unjudged(analysis: AnalysisState | null, kind: AnalysisPause["reason"], reason: string, now: Date): Observed {
  const state = pauseAnalysis(analysis, kind, reason, now);
  return { state, seen: { kind: "unjudged", since: state.pause?.since ?? now, reason } };
}
