import { abortedReason } from "../update/decided-update.ts";
import { withAddition } from "../../health/evidence.ts";
import { endedWindowReason } from "../../gates/windows.ts";
import { assessReadiness, type PodEvidence, type Readiness } from "../update/readiness.ts";
import { nextObservation } from "../policy/observation.ts";
import type { Observation } from "../policy/observation-kinds.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Policy, Rollout, Workload } from "../workload.ts";
import { ownerChange } from "./follow.ts";
import { canaryAnnotation, isGrowing, sizesOf, stepInFlight, stepsOf } from "./progress.ts";
import { canaryUnavailableReason } from "./size.ts";
import { fieldProblem, type Problem } from "../policy/problem.ts";

export type CanaryVerdict =
  | Readiness
  | { readonly kind: "promoted" }
  | { readonly kind: "ready"; readonly reason: string };

/**
 * Assesses whether a canary is ready for the first time at its step. A person's verdict takes precedence. Once it was
 * ready, `assessHealth` applies, and so does what its owner has changed.
 */
export function assessCanary(workload: Workload, inFlight: InFlight, now: Date, pods: PodEvidence = {}): CanaryVerdict {
  const { verdict, policy, analysis, canaryProgress: progress } = workload;
  if (verdict === "abort") return { kind: "expired", reason: abortedReason };
  if (verdict === "promote") return { kind: "promoted" };
  const isMeasured = analysis !== null && !isGrowing(workload);
  const wasReady = isMeasured || (progress !== null && progress.waitsFor !== "Replicas");
  const isJudged = policy.optIn !== "no" && inFlight.startedAt !== "malformed";
  if (wasReady && isJudged) return { kind: "ready" };
  const changed = isJudged ? ownerChange(workload) : null;
  if (changed !== null) return { kind: "ready", reason: changed.reason };
  const readiness = assessReadiness(judgedReplicas(workload), workload, stepInFlight(inFlight, progress), now, pods);
  const isUnready = readiness.kind === "progressing" || readiness.kind === "not-started";
  if (!isUnready || !isBlockedByStable(workload)) return readiness;
  return { ...readiness, reason: withAddition(readiness.reason, blockedByStable) };
}

const blockedByStable =
  "pods below the partition are not ready, and an ordered StatefulSet changes none above them; correct their image, or use pawl promote --full";

/** Reports whether the canary of a StatefulSet has no pod, and a pod that stays stable is not available either. */
function isBlockedByStable({ canary, rollout }: Workload): boolean {
  return (
    canary?.partition !== undefined &&
    canary.updatedReplicas === 0 &&
    rollout !== null &&
    rollout.podsPer !== "node" &&
    rollout.readyReplicas < canary.partition
  );
}

/** Returns what a check of the canary has to note: the health timeout of each step counts from the first check that sees it. */
export function nextCanaryObservation(workload: Workload, readiness: Readiness, now: Date): Observation | null {
  return nextObservation({ rollout: judgedReplicas(workload), inFlight: workload.inFlight }, readiness, now);
}

/** The pod template of a StatefulSet's canary is the same at each step. A kind that cannot note an observation has none. */
function judgedReplicas({ canary, rollout, canaryProgress }: Workload): Rollout | null {
  if (canary === null || canary.desiredReplicas === 0) return null;
  const { template: _, ...replicas } = canary;
  const template = rollout?.template;
  return template === undefined ? replicas : { ...replicas, template: `${template}/${canaryProgress?.step ?? 1}` };
}

/**
 * Returns the verdict that needs no measurement, from the phase, from a person, or from the end of its window; null if the canary must be measured.
 */
export function knownVerdict(
  workload: Workload,
  { phase, startedAt }: InFlight,
  now: Date,
): { readonly kind: "pass" | "fail" | "withdraw"; readonly reason: string } | null {
  const { verdict, policy } = workload;
  if (phase === "rollback") return { kind: "fail", reason: "the rollback was interrupted" };
  if (phase !== "canary") return { kind: "pass", reason: "already promoted" };
  if (policy.optIn === "no") return { kind: "fail", reason: "auto-update was disabled" };
  if (verdict === "abort") return { kind: "fail", reason: abortedReason };
  if (verdict === "promote") return { kind: "pass", reason: "promoted manually" };
  const ended = endedWindowReason(policy, startedAt, now);
  return ended === null ? null : { kind: "withdraw", reason: ended };
}

/** Returns the strategy of an update by its policy. */
export function strategyOf({ canary }: Policy): "canary" | "rolling" {
  return canary === null ? "rolling" : "canary";
}

/** Returns why the replicas allow no canary. A workload without a source reports that among its own problems. */
export function canaryProblems({ policy, rollout, source }: Workload): readonly Problem[] {
  if (rollout === null || source === null) return [];
  const reason = sizesOf(stepsOf(policy))
    .map((size) => canaryUnavailableReason(size, rollout))
    .find((one) => one !== null);
  return reason === undefined ? [] : [fieldProblem(canaryAnnotation(policy), "NotSupported", reason)];
}
