import { type Assessment, describeRun } from "../../analysis/assess.ts";
import { conclude } from "../../analysis/bake-run.ts";
import { defaultNoDataTimeoutSeconds } from "../../analysis/parse-analysis.ts";
import type { Verdict } from "../../analysis/judge.ts";
import { jobSeconds } from "../../analysis/job-metric.ts";
import { countsOf } from "../../analysis/measure.ts";
import type { AnalysisSpec, MetricSpec } from "../../analysis/spec.ts";
import type { AnalysisState } from "../../analysis/state.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import type { CanaryNames } from "../canary/pod-names.ts";
import type { HeldClaim } from "../update/claim.ts";
import { type InFlight, observe } from "../update/in-flight.ts";
import type { Rollout } from "../workload.ts";
import type { Bake } from "./bake.ts";

/** What a step saw of an update that bakes. Pods that failed are not among it: they end the update. */
export type BakeObservation =
  /** Pods are not ready; the health timeout counts. */
  | { readonly kind: "unready"; readonly waitSeconds: number; readonly reason: string }
  /** A setting or the analysis is invalid, or nothing runs. */
  | { readonly kind: "unjudged"; readonly since: Date; readonly reason: string }
  /** All pods are ready, and there is no analysis. */
  | { readonly kind: "ready" }
  | {
      readonly kind: "measured";
      readonly spec: AnalysisSpec;
      readonly state: AnalysisState;
      readonly assessment: Assessment;
    };

export type BakeVerdict =
  | { readonly kind: "running"; readonly waitSeconds: number; readonly reason: string }
  /** "unknown": nothing was seen to fail, and not everything could be measured. */
  | { readonly kind: "pass" | "fail" | "unknown"; readonly reason: string };

/** Pods are checked at least this often. */
const maxWaitSeconds = 60;

/** Assesses an update that bakes since `elapsedSeconds`. Only a failure rolls back: what is unknown ends it as recorded. */
export function assessBake(bake: Bake, elapsedSeconds: number, seen: BakeObservation, now: Date): BakeVerdict {
  const leftSeconds = (bake.seconds ?? 0) - elapsedSeconds;
  const wait = (seconds: number, reason: string): BakeVerdict => {
    const waitSeconds = Math.max(1, Math.min(maxWaitSeconds, Math.ceil(seconds)));
    return { kind: "running", waitSeconds, reason };
  };
  if (seen.kind === "unready") return wait(seen.waitSeconds, seen.reason);
  if (seen.kind === "unjudged") {
    const isOver = leftSeconds <= 0 && secondsBetween(seen.since, now) >= defaultNoDataTimeoutSeconds;
    return isOver ? { kind: "unknown", reason: seen.reason } : wait(maxWaitSeconds, seen.reason);
  }
  if (seen.kind === "ready") {
    const reason = "all replicas are ready";
    return leftSeconds > 0 ? wait(leftSeconds, reason) : { kind: "pass", reason };
  }
  const { spec, state, assessment } = seen;
  const isWaiting = spec.metrics.some((metric) => isJobAwaited(metric, state, -leftSeconds));
  const isOver = bake.seconds !== null && leftSeconds <= 0 && !isWaiting && assessment.kind === "running";
  const verdict = isOver ? conclude(spec, state, elapsedSeconds, now) : assessment;
  if (verdict.kind !== "running") return { kind: verdicts[verdict.kind], reason: verdict.reason };
  const hasEnd = bake.seconds !== null && leftSeconds > 0;
  const untilEnd = hasEnd ? Math.min(verdict.waitSeconds, leftSeconds) : verdict.waitSeconds;
  return wait(untilEnd, describeRun(state) ?? "no measurement yet");
}

/** A Job that is late is deleted two minutes after its timeout, by a check that may be a minute later. */
const jobGraceSeconds = 180;

/** Reports whether a Job that decides runs, and can still end within its timeout. */
function isJobAwaited(metric: MetricSpec, state: AnalysisState, overSeconds: number): boolean {
  const isRunning = countsOf(state, metric.name).jobUid !== undefined;
  return isRunning && !metric.dryRun && overSeconds <= jobSeconds(metric) + jobGraceSeconds;
}

const verdicts = { pass: "pass", fail: "fail", error: "unknown", inconclusive: "unknown" } as const satisfies Record<
  Verdict,
  BakeVerdict["kind"]
>;

/** Returns since when an update bakes; null if it does not. */
export function bakingSince({ observation }: InFlight): Date | null {
  return observation?.kind === "baking" ? observation.since : null;
}

/**
 * Returns the claim of an update that bakes, for the assessment of its pods: the health timeout counts from when one of them was seen
 * not to be ready, as many may be unavailable as were before the update, and a pod that terminates is not of the previous version. A Job has
 * shown that the image of a CronJob is healthy.
 */
export function bakingClaim({ workload, inFlight }: HeldClaim, now: Date): HeldClaim {
  const { observation: _, unavailableBefore = 0, ...rest } = inFlight;
  const { rollout, analysis } = workload;
  // Of other kinds, all pods were ready when the bake time began.
  const tolerated = rollout?.podsPer === "node" ? unavailableBefore : 0;
  const isUnready = bakingSince(inFlight) !== null && analysis?.pause?.reason === "NotReady";
  const judgedSince = isUnready ? analysis.pause.since : now;
  const template = rollout?.template;
  const judged: InFlight = { ...rest, startedAt: judgedSince };
  return {
    kind: "held",
    workload: {
      ...workload,
      rollout: rollout && {
        ...withoutJobs(rollout),
        readyReplicas: rollout.readyReplicas + tolerated,
        terminatingReplicas: 0,
      },
    },
    inFlight: template === undefined ? judged : observe(judged, { kind: "observed", at: judgedSince, template }),
  };
}

function withoutJobs({ jobs: _jobs, ...rollout }: Rollout): Rollout {
  return rollout;
}

/** Returns the arguments of queries in the bake time, when the pods of both sides are all pods. */
export function namesOfAllPods({ stable, stablePods }: CanaryNames): CanaryNames {
  return { stable, canary: stable, ...(stablePods === undefined ? {} : { stablePods, canaryPods: stablePods }) };
}
