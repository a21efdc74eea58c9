import { secondsBetween } from "../text/rfc3339.ts";
import type { Evidence } from "./evidence.ts";
import { exitsSinceReady, type Health, healthOf } from "./health.ts";
import { type ObservedPod, wasReady } from "./observed-pod.ts";

/** What a pod of an update may do. */
export interface HealthLimits {
  /** For how long a pod may be unready, before it is first ready and in total after that. */
  readonly podDeadlineSeconds: number;
  readonly maxRestarts: number;
  /** No pod is judged for a longer time than its update is in flight. */
  readonly startedAt: Date;
  /** How many pods may stay unready that have not exited: as many were before the update, for causes of their nodes. */
  readonly toleratedPods: number;
}

/** Pods that have failed, whatever the others do. */
export interface Failure {
  /** "exits" and "unready": after they were ready. "late": they have never been. */
  readonly kind: "exits" | "unready" | "late";
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

/**
 * Returns the pods of an update that have failed by themselves, because of their version; null if none has. Exits before a pod was first
 * ready count only at its deadline: an application may exit until its database answers.
 */
export function findFailure(
  pods: readonly ObservedPod[],
  health: Health | undefined,
  limits: HealthLimits,
  now: Date,
): Failure | null {
  const { maxRestarts, podDeadlineSeconds } = limits;
  const blamed = pods.filter(({ cause }) => cause.blames === "version");
  const exited = blamed.filter((pod) => exitsSinceReady(pod, health) > maxRestarts);
  if (exited.length > 0) {
    const exits = Math.max(...exited.map((pod) => exitsSinceReady(pod, health)));
    return failure(
      "exits",
      exited,
      `exited ${exits} times after it was ready, which max-restarts ${maxRestarts} excludes`,
    );
  }
  const unready = tolerate(
    blamed.filter((pod) => (healthOf(pod, health)?.unreadySeconds ?? 0) > podDeadlineSeconds && !pod.isReady),
    limits,
  );
  if (unready.length > 0)
    return failure("unready", unready, `not ready for more than ${podDeadlineSeconds} s in total after it was ready`);
  const late = tolerate(
    blamed.filter((pod) => !wasReady(pod) && isLate(pod, limits, now)),
    limits,
  );
  return late.length === 0 ? null : failure("late", late, `not ready after ${podDeadlineSeconds} s`);
}

/** A pod that has exited is not excused by its node. */
function tolerate(pods: readonly ObservedPod[], { toleratedPods }: HealthLimits): readonly ObservedPod[] {
  return pods.length > toleratedPods || pods.some(({ exits }) => exits > 0) ? pods : [];
}

function isLate(
  { readyChangedAt, createdAt }: ObservedPod,
  { startedAt, podDeadlineSeconds }: HealthLimits,
  now: Date,
): boolean {
  const unreadySeconds = secondsBetween(readyChangedAt ?? createdAt, now);
  return Math.min(unreadySeconds, secondsBetween(startedAt, now)) > podDeadlineSeconds;
}

function failure(kind: Failure["kind"], pods: readonly ObservedPod[], reason: string): Failure {
  return { kind, reason, evidence: pods.map(({ name, cause }) => ({ pod: name, cause })) };
}
