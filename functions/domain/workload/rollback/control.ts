import { type Evidence, withAddition, withEvidence } from "../../health/evidence.ts";
import { isStable, type ObservedPod } from "../../health/observed-pod.ts";
import { isAsWritten, versionNameOf } from "../../image/reference.ts";
import { hasFailures } from "../../analysis/measure.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import type { Change } from "../update/change.ts";
import type { InFlight, Suspect } from "../update/in-flight.ts";
import { missingCondition, nextCheckSeconds, type Readiness } from "../update/readiness.ts";
import type { Rollout, Workload } from "../workload.ts";
import { blamedRecord, withdrawnRecord } from "./outcome.ts";

/** How long a version has to stay ready, unless `minReadySeconds` is longer. */
const minStableSeconds = 60;

/** What the restored version shows of a target whose pods failed. */
export type ControlResult =
  | { readonly kind: "pending"; readonly waitSeconds: number; readonly reason: string; readonly suspect: Suspect }
  /** It is ready and stays so: the target is the cause. */
  | { readonly kind: "blamed"; readonly reason: string }
  /** It fails too, or cannot be compared. */
  | { readonly kind: "unproven"; readonly reason: string };

type Subject = Pick<Workload, "failsWithoutPods" | "rollout">;

/**
 * Reports whether the version before an update has to show that the target is the cause. The control of a canary are its stable pods,
 * and that of a CronJob is the Job before. A Claw keeps k8s4claw's rule.
 */
export function isControlNeeded({ failsWithoutPods, rollout }: Subject, { phase }: InFlight): boolean {
  return phase === "rollout" && rollout?.podsPer !== "job" && !failsWithoutPods;
}

/** Reports whether the version before an update can show that the target is the cause: it is restored, or runs beside a canary. */
export function hasControl(workload: Subject, inFlight: InFlight): boolean {
  return isControlNeeded(workload, inFlight) || (inFlight.phase === "canary" && !workload.failsWithoutPods);
}

/** Returns why the version before an update cannot be its control; null if it can. */
export function priorFailure(
  { rollout }: Pick<Workload, "rollout">,
  { previousImage, unavailableBefore = 0 }: InFlight,
): string | null {
  if (previousImage === null) return "no previous image is known to compare it with";
  const wasAvailable = unavailableBefore === 0 || rollout === null || unavailableBefore < rollout.desiredReplicas;
  return wasAvailable ? null : `${versionNameOf(previousImage)} was not available before the update either`;
}

/**
 * Reports whether all pods of a target have become ready since they were found failing: its revert was retried for long, and what failed
 * may have been what both versions need.
 */
export function hasRecovered(workload: Workload, inFlight: InFlight): boolean {
  const { rollout } = workload;
  // A hook that failed says nothing about the pods.
  if (inFlight.hook?.result === "failed" || rollout === null) return false;
  if (inFlight.suspect === undefined && !isControlNeeded(workload, inFlight)) return false;
  return rollout.desiredReplicas > 0 && missingCondition(rollout, inFlight.target.image) === null;
}

/**
 * Reports the same of a target whose pods had been ready before they failed: each of `pods` has to have stayed ready since, because one that
 * flaps is ready too. Pods that are ready say nothing about a metric that failed, however long ago: its limit may have been lowered since.
 */
export function hasStabilized(
  workload: Workload,
  inFlight: InFlight,
  pods: readonly ObservedPod[],
  now: Date,
): boolean {
  const { rollout, analysis } = workload;
  if (rollout === null || !hasRecovered(workload, inFlight) || pods.length < rollout.desiredReplicas) return false;
  if (analysis !== null && hasFailures(analysis)) return false;
  return pods.every((pod) => isStable(pod, stableSeconds(rollout), now));
}

function stableSeconds({ minReadySeconds = 0 }: Rollout): number {
  return Math.max(minStableSeconds, minReadySeconds);
}

/**
 * Assesses the version that a rollback restored, as `readiness` says. `failing` are its pods that have failed since the update began: an
 * outage may be over before they are ready.
 */
export function assessControl(
  workload: Pick<Workload, "image" | "rollout">,
  { previousImage }: InFlight,
  suspect: Suspect,
  readiness: Readiness,
  failing: readonly Evidence[],
  now: Date,
): ControlResult {
  const { reason, readySince = now } = suspect;
  const unproven = (why: string): ControlResult => ({ kind: "unproven", reason: withAddition(reason, why) });
  const { image, rollout } = workload;
  if (previousImage === null || image === null || !isAsWritten(image, previousImage))
    return unproven("the image was changed before the previous one was ready");
  if (rollout === null || rollout.desiredReplicas === 0)
    return unproven("it was scaled to 0 before the previous version was ready");
  const { readySince: _, ...notReady } = suspect;
  const previous = versionNameOf(previousImage);
  const lead = `${previous} is not healthy either`;
  if (failing.length > 0) return { kind: "unproven", reason: withEvidence(reason, failing, { lead }) };
  if (readiness.kind === "progressing" || readiness.kind === "waiting")
    return { kind: "pending", waitSeconds: readiness.waitSeconds, reason: readiness.reason, suspect: notReady };
  if (readiness.kind !== "ready") return unproven(`${lead}: ${readiness.reason}`);
  const elapsedSeconds = secondsBetween(readySince, now);
  const leftSeconds = stableSeconds(rollout) - elapsedSeconds;
  if (leftSeconds <= 0) return { kind: "blamed", reason };
  return {
    kind: "pending",
    waitSeconds: nextCheckSeconds(elapsedSeconds, leftSeconds),
    reason: `${previous} is ready, and has to stay so for ${Math.ceil(leftSeconds)} s`,
    suspect: { ...suspect, readySince },
  };
}

/** Releases the claim of a rollback, and records what its control showed. */
export function concludeControl(
  workload: Workload,
  inFlight: InFlight,
  { execution }: Suspect,
  { kind, reason }: Exclude<ControlResult, { readonly kind: "pending" }>,
  now: Date,
): Change {
  const attempt = { ...inFlight, execution };
  const outcome =
    kind === "blamed"
      ? blamedRecord(workload, attempt, reason, now)
      : withdrawnRecord(workload, attempt, "Withdrawn", reason, now, 1);
  return { inFlight: null, ...outcome };
}
