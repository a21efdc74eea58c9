import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { describeRun } from "../../domain/analysis/assess.ts";
import { defaultNoDataTimeoutSeconds } from "../../domain/analysis/parse-analysis.ts";
import { startAnalysis } from "../../domain/analysis/measure.ts";
import { pauseAnalysis, pausedSeconds, resumeAnalysis } from "../../domain/analysis/pause.ts";
import { knownVerdict } from "../../domain/workload/canary/canary.ts";
import { ownerChange, type OwnerChange, stableSurplus } from "../../domain/workload/canary/follow.ts";
import { currentProgress } from "../../domain/workload/canary/progress.ts";
import { recordMeasuring, recordStepEnd } from "../../domain/workload/canary/record.ts";
import { assessGrowth, assessStage } from "../../domain/workload/canary/stage.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { planParking } from "../../domain/workload/update/park.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { readStepAnalysis } from "../read-analysis.ts";
import { measurePause } from "./measure-pause.ts";
import type { ObservedClaim } from "./observe-claim.ts";
import { observeCanaryHealth, rollCanary } from "./observe-canary.ts";
import { parkResult } from "./park-result.ts";
import { runAnalysis } from "./run-analysis.ts";
import { fail, pause, previousRun, running, shortestRound } from "./running-result.ts";
import { keepClaim, rollCanaryResult } from "./wait-result.ts";

type Output = TimedStepResult<
  "running" | "progressing" | "parked" | "roll" | "next" | "pass" | "fail" | "unproven" | "withdraw" | "continue"
>;
type AnalysisPorts = Pick<Ports, "cluster" | "metricProvider" | "now">;

/** What its owner has to fix or to resume applies after at most this time. */
const ownerRetrySeconds = 60;

/**
 * Assesses and measures the canary of a claimed workload, records new measurements and the end of its step, and returns the result.
 * Only a measurement that failed, or a pod of the canary that did, fails it: what is unknown withdraws it.
 */
export async function analyzeClaim(
  ports: AnalysisPorts,
  claim: ObservedClaim,
  executionStartedAt: string,
): Promise<Output> {
  const { workload, inFlight } = claim;
  const known = knownVerdict(workload, inFlight, ports.now());
  if (known !== null) return { waitSeconds: 0, ...known };
  const changed = ownerChange(workload);
  if (changed !== null) return follow(ports, claim, changed, executionStartedAt);
  const growth = assessGrowth(workload, inFlight, ports.now());
  if (growth !== null) {
    const result = await measurePause(ports, claim, growth, executionStartedAt, true);
    return result.kind === "running" ? { ...result, kind: "progressing" } : result;
  }
  const next = await rollCanary(ports, claim, { kind: "ready" });
  if (next.kind === "roll") return rollCanaryResult(ports, claim, next.reason, executionStartedAt);
  if ("waitSeconds" in next) return pause(ports, workload, { ...next, kind: "NotReady" }, executionStartedAt);
  const health = observeCanaryHealth(ports, claim);
  if (health.kind === "not-ready") return pause(ports, workload, { ...health, kind: "NotReady" }, executionStartedAt);
  if (health.kind !== "ready") return { waitSeconds: 0, ...health };
  const stage = assessStage(workload, ports.now());
  if (stage.kind === "over") return endStep(ports, workload, stage.reason);
  if (stage.kind === "withdraw") return { kind: "withdraw", waitSeconds: 0, reason: stage.reason };
  const surplus = stableSurplus(workload);
  if (stage.kind === "paused" && surplus !== null) return follow(ports, claim, surplus, executionStartedAt);
  if (stage.kind === "paused") return measurePause(ports, claim, stage, executionStartedAt);
  const spec = stage.kind === "invalid" ? stage : await readStepAnalysis(ports, workload, stage);
  if (spec === null) return endStep(ports, workload, "the canary is ready and has no analysis");
  if (spec.kind === "invalid") return waitForSettings(ports, workload, spec.reason, executionStartedAt);
  if (surplus !== null) return follow(ports, claim, surplus, executionStartedAt);
  const previous = previousRun(workload, ports.now());
  // What was measured while it grew is not of this step.
  const isFirst = workload.canaryProgress?.waitsFor === "Replicas";
  const run = previous !== null && isFirst ? startAnalysis(ports.now(), previous) : previous;
  const { state, assessment } = await runAnalysis(ports, claim, spec, run);
  const noted =
    state === workload.analysis ? null : { analysis: state, ...recordMeasuring(workload.canaryProgress, ports.now()) };
  if (assessment.kind === "pass") return endStep(ports, workload, assessment.reason, noted);
  if (assessment.kind === "running") {
    const result = { waitSeconds: assessment.waitSeconds, reason: describeRun(state) ?? "no measurement yet" };
    return running(ports, workload, noted, result, executionStartedAt, shortestRound(spec));
  }
  await keepClaim(ports, workload, 0, noted);
  if (assessment.kind === "fail") return fail(ports, workload, assessment.reason);
  return { kind: "withdraw", waitSeconds: 0, reason: assessment.reason };
}

/**
 * Follows what its owner has changed. Each replica that becomes stable again has the health timeout for that: if it does not, nothing
 * is known of the canary, whose own replicas are ready.
 */
async function follow(
  ports: AnalysisPorts,
  { workload, inFlight }: HeldClaim,
  { kind, reason }: OwnerChange,
  executionStartedAt: string,
): Promise<Output> {
  const { analysis, policy } = workload;
  if (kind === "withdraw") return { kind, waitSeconds: 0, reason };
  if (kind === "invalid") return waitForSettings(ports, workload, reason, executionStartedAt);
  if (kind === "wait" || kind === "return") {
    const isOver = pausedSeconds(analysis, "Waiting", ports.now()) > policy.healthTimeoutSeconds;
    if (kind === "return" && isOver) return { kind: "withdraw", waitSeconds: 0, reason };
    const since = analysis?.pause?.reason === "Waiting" ? analysis.pause.since : ports.now();
    const parking = kind === "wait" ? planParking(workload, inFlight, since, ports.now()) : null;
    if (parking !== null) return parkResult(ports, workload, { ...parking, reason }, executionStartedAt);
    return pause(ports, workload, { kind: "Waiting", waitSeconds: ownerRetrySeconds, reason }, executionStartedAt);
  }
  // The next one that becomes stable has its own time.
  const isNextOne = kind === "resize" && analysis?.pause?.reason === "Waiting";
  const next = isNextOne ? pauseAnalysis(resumeAnalysis(analysis), "Waiting", reason, ports.now()) : null;
  await keepClaim(ports, workload, 0, next && { analysis: next });
  return { kind: "next", waitSeconds: 0, reason };
}

/** Waits until its owner has corrected what is invalid, for a limited time. */
async function waitForSettings(
  ports: AnalysisPorts,
  workload: Workload,
  reason: string,
  executionStartedAt: string,
): Promise<Output> {
  const isOver = pausedSeconds(workload.analysis, "Invalid", ports.now()) >= defaultNoDataTimeoutSeconds;
  if (isOver) return { kind: "withdraw", waitSeconds: 0, reason };
  return pause(ports, workload, { kind: "Invalid", waitSeconds: ownerRetrySeconds, reason }, executionStartedAt);
}

/** Records the end of a step in the same write as its last measurement. Promotes the canary after its last step. */
async function endStep(
  ports: AnalysisPorts,
  workload: Workload,
  reason: string,
  noted: Change | null = null,
): Promise<Output> {
  const progress = currentProgress(workload, ports.now());
  const isLast = progress === null || progress.step >= progress.steps;
  await keepClaim(ports, workload, 0, isLast ? noted : { ...noted, ...recordStepEnd(workload, progress, ports.now()) });
  return { kind: isLast ? "pass" : "next", waitSeconds: 0, reason };
}
