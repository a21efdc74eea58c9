import { writtenImage } from "../target/target.ts";
import { wholeSecond } from "../../analysis/measure.ts";
import { nextRun } from "../../analysis/pause.ts";
import { recordStart, type Started, type UpdateStart } from "../record/update-record.ts";
import { recordDigests } from "../digest/record.ts";
import { ownerChange, stableSurplus } from "./follow.ts";
import { missingCanaryCondition, promotedCanary } from "./health.ts";
import type { Change } from "../update/change.ts";
import type { CanarySize } from "./canary-size.ts";
import type { CanaryProgress } from "./canary-step.ts";
import { beginStep, currentSize, describeStep, isContinuedByPromotion, nextProgress } from "./progress.ts";
import { canaryReplicas, describeSize } from "./size.ts";
import type { ImageTarget } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

/** Records the claim of an update that starts with a canary; the stable replicas stay unchanged. */
export function recordCanary(
  workload: Workload,
  start: UpdateStart<ImageTarget>,
  execution: string,
  size: CanarySize,
  now: Date,
): Started {
  const { image: _image, digests: _digests, inFlight, ...started } = recordStart(workload, start, execution, now);
  return {
    ...started,
    canary: { image: writtenImage(start.target), size },
    inFlight: inFlight.phase === "rollout" ? { ...inFlight, phase: "canary" } : inFlight,
    ...(workload.inFlight?.execution === execution
      ? {}
      : { analysis: null, verdict: null, canaryProgress: beginStep(workload.policy, 1, now) }),
  };
}

/**
 * Records that a canary in flight begins its next step, or repeats the current one: its replicas are changed before this is written.
 * null if it is at its first step, which its claim has begun, and has its size.
 */
export function recordStep(workload: Workload, { target, isApplied }: InFlight, now: Date): Change | null {
  const next = nextProgress(workload, now);
  const wanted = currentSize({ ...workload, canaryProgress: next });
  if (isApplied === false || workload.canaryProgress === null || next === null || wanted === null) return null;
  const size = withUpdatedPods(workload, wanted);
  const isNew = next !== workload.canaryProgress;
  const changed = (ownerChange(workload) ?? stableSurplus(workload))?.kind;
  if (!isNew && next.step === 1 && changed !== "resize") return null;
  const restart = changed === "restart" || workload.canary === null ? ({ isRestart: true } as const) : {};
  return {
    canary: { image: writtenImage(target), size, ...restart },
    ...(isNew ? beginNext(workload, { ...next, size: describeSize(size) }) : {}),
  };
}

function beginNext(workload: Workload, next: CanaryProgress): Change {
  const result = `the canary continues with step ${describeStep(next)}`;
  const analysis = next.step === 1 ? null : nextRun(workload.analysis, result, next.since);
  return { canaryProgress: next, analysis, ...answerContinuation(workload, result) };
}

/** A `promote` that continues a canary is answered at once: later it would continue the next pause too. */
function answerContinuation(workload: Workload, result: string): Pick<Change, "answer"> {
  const { request, verdict } = workload;
  if (request === null || verdict !== "continue" || !isContinuedByPromotion(workload)) return {};
  return { answer: { token: request.token, verb: request.verb, result } };
}

/**
 * Beside a canary of the workload's own replicas, no stable pods wait. So a step never takes updated pods back: these serve, and would be
 * deleted. Only scaling does.
 */
function withUpdatedPods(workload: Workload, wanted: CanarySize): CanarySize {
  const { canary } = workload;
  const size = currentSize(workload);
  if (canary === null || size === null) return wanted;
  const { partition, sharedReplicas, desiredReplicas } = canary;
  const replicas = partition === undefined ? sharedReplicas : partition + desiredReplicas;
  if (replicas === undefined) return wanted;
  return canaryReplicas(wanted, replicas) < canaryReplicas(size, replicas) ? size : wanted;
}

/** Records that the first measurement of a step was taken. */
export function recordMeasuring(progress: CanaryProgress | null, now: Date): Pick<Change, "canaryProgress"> {
  if (progress?.waitsFor !== "Replicas") return {};
  return { canaryProgress: { ...progress, waitsFor: "Analysis", since: wholeSecond(now) } };
}

/** Records that a step is over, so that StartCanary begins the next one. Answers the person who continued a pause. */
export function recordStepEnd(workload: Workload, progress: CanaryProgress, now: Date): Change {
  return {
    canaryProgress: { ...progress, waitsFor: "NextStep", since: wholeSecond(now), until: null },
    ...answerContinuation(workload, `the canary continues after step ${describeStep(progress)}`),
  };
}

/** A person may promote a canary that is not ready; the answer says so. */
function answerPromotion({ request, canary }: Workload, { target }: InFlight): Pick<Change, "answer"> {
  if (request?.verb !== "promote") return {};
  const missing = missingCanaryCondition(canary, writtenImage(target));
  const result = `the canary is promoted${missing === null ? "" : `, although it is not ready: ${missing}`}`;
  return { answer: { token: request.token, verb: request.verb, result } };
}

/**
 * Records the promotion of a canary: all replicas run the target, and the health timeout starts again. Repeated, it
 * keeps the start time.
 */
export function recordPromotion(workload: Workload, inFlight: InFlight, now: Date): Change {
  const promoted =
    inFlight.phase === "canary" ? ({ ...inFlight, phase: "rollout", startedAt: now } as const) : inFlight;
  return {
    image: writtenImage(inFlight.target),
    ...promotedCanary(workload),
    verdict: null,
    ...answerPromotion(workload, inFlight),
    ...recordDigests(workload, promoted, inFlight.phase === "rollout"),
    inFlight: promoted,
  };
}
