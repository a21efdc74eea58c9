import { writtenImage } from "../target/target.ts";
import { type Evidence, withEvidence } from "../../health/evidence.ts";
import { isAsWritten } from "../../image/reference.ts";
import { endedWindowReason } from "../../gates/windows.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import type { InFlight } from "./in-flight.ts";
import { observeRollout, podDeadlineSeconds } from "./progress-deadline.ts";
import type { Rollout, Workload } from "../workload.ts";
import { describeProblems } from "../policy/problem.ts";

export type Readiness =
  | { readonly kind: "ready" }
  | { readonly kind: "progressing"; readonly waitSeconds: number; readonly reason: string }
  /** No deadline counts, because the pods cannot show whether the version is healthy. */
  | { readonly kind: "waiting"; readonly waitSeconds: number; readonly reason: string }
  /**
   * "expired": pods of the version failed; "fail": they had been ready before. "not-started": none did. "withdraw": its owner changed the pod template too,
   * so that either may be the cause. "unproven": pods of the version before it fail too.
   */
  | { readonly kind: "expired" | "fail" | "not-started" | "withdraw" | "unproven"; readonly reason: string };

/** What the replica counts do not show. */
export interface PodEvidence {
  /** Why pods still run the previous digest; null if none does. */
  readonly stale?: string | null;
  /** Unavailable pods whose images are not the cause: their node does not answer, or no node takes them. */
  readonly excused?: number;
  /**
   * Pods of the update that exist and fail. Absent if no pod was read: the counts alone include pods that do not exist yet, or are not of
   * the update.
   */
  readonly failing?: number;
  /** Pods of the update in which a container has exited with an error. */
  readonly crashed?: number;
  /** The pods of the update that are not ready, and why. */
  readonly evidence?: readonly Evidence[];
  /** The pods of the version before it that have failed by themselves since the update began, and why. */
  readonly control?: readonly Evidence[];
}

/** What the verdict depends on, beside the replicas. */
type Subject = Pick<Workload, "policy" | "problems" | "failsWithoutPods">;

/**
 * Assesses the replicas of an update. Ready is tested before the deadline: a workload that became ready late is still
 * ready. A malformed start time expires at once, as in k8s4claw, and so does an update that its owner disabled.
 */
export function assessReadiness(
  rollout: Rollout | null,
  subject: Subject,
  inFlight: InFlight,
  now: Date,
  { stale = null, excused = 0, failing, crashed = 0, evidence = [], control = [] }: PodEvidence = {},
): Readiness {
  const { policy } = subject;
  const { startedAt } = inFlight;
  if (policy.optIn === "no") return { kind: "expired", reason: "auto-update was disabled" };
  if (startedAt === "malformed") {
    return { kind: "expired", reason: "the update-started annotation is not an RFC3339 time" };
  }
  const ended = isImageUpdate(inFlight) ? endedWindowReason(policy, startedAt, now) : null;
  const isPerNode = rollout?.podsPer === "node";
  const incomplete = missingCondition(rollout, targetOf(inFlight), isPerNode ? excused : 0);
  const missing = incomplete ?? stale;
  // A canary that begins again has the pod template that was observed before.
  const judgedSince = observeRollout(rollout, inFlight.observation, now)?.at ?? startedAt;
  const startedSeconds = secondsBetween(startedAt, now);
  const elapsedSeconds = Math.min(secondsBetween(judgedSince, now), startedSeconds);
  const timeoutSeconds = podDeadlineSeconds(policy, rollout);
  const waitSeconds = nextCheckSeconds(startedSeconds, timeoutSeconds - elapsedSeconds);
  const isLate = elapsedSeconds > timeoutSeconds;
  if (missing === null && hasReplicas(rollout)) return afterLastPod(rollout, isLate, waitSeconds);
  if (ended !== null) return { kind: "withdraw", reason: ended };
  const waiting = waitingReason(rollout, subject);
  if (waiting !== null) {
    return { kind: "waiting", waitSeconds: idleCheckSeconds(startedSeconds), reason: waiting };
  }
  const reason = missing ?? "it has no replicas";
  if (!isLate) return { kind: "progressing", waitSeconds, reason };
  // As many pods may be unavailable as were before the update, on nodes that were in trouble before. A crash is not the node's.
  const unavailableBefore = crashed > 0 ? 0 : (inFlight.unavailableBefore ?? 0);
  const tolerated = isPerNode ? Math.max(excused, unavailableBefore) : excused;
  const isAsBefore = isPerNode && missingCondition(rollout, targetOf(inFlight), tolerated) === null;
  // An old pod that is available proves nothing about the version.
  if (isAsBefore && stale === null && rollout.oldReplicas <= excused) return { kind: "ready" };
  const isStale = stale !== null && (incomplete === null || isAsBefore);
  const podsFail = failing !== 0 && hasFailingPods(rollout, targetOf(inFlight), tolerated);
  const hasFailed = subject.failsWithoutPods || isStale || podsFail;
  const kind = !hasFailed ? "not-started" : rollout?.isTemplateEdited ? "withdraw" : "expired";
  const total = rollout?.desiredReplicas;
  const detail = withEvidence(`not ready after ${timeoutSeconds} s: ${reason}`, evidence, { total });
  return kind === "expired" ? withControl({ kind, reason: detail }, control) : { kind, reason: detail };
}

export interface Failed<Kind extends string> {
  readonly kind: Kind;
  readonly reason: string;
}

/** Returns the verdict on pods that failed: none if those of the version before them fail too. */
export function withControl<Kind extends string>(
  verdict: Failed<Kind>,
  control: readonly Evidence[],
): Failed<Kind> | Failed<"unproven"> {
  if (control.length === 0) return verdict;
  const lead = "the version before it fails too";
  return { kind: "unproven", reason: withEvidence(verdict.reason, control, { lead }) };
}

/**
 * Returns the verdict on a complete rollout. Pods that terminate may still serve requests with the previous version. They say nothing about
 * this one: those that are left at the deadline, on a lost node or with a long grace period, hold nothing up.
 */
function afterLastPod({ terminatingReplicas = 0 }: Rollout, isLate: boolean, waitSeconds: number): Readiness {
  if (terminatingReplicas === 0 || isLate) return { kind: "ready" };
  return { kind: "progressing", waitSeconds, reason: `${terminatingReplicas} replicas are still terminating` };
}

/**
 * Reports whether a verdict needs the pods themselves: before a version is blamed, and to find out on which nodes the
 * pods of a DaemonSet are missing.
 */
export function needsPods(
  { kind }: { readonly kind: string },
  { rollout, failsWithoutPods, policy }: Workload,
): boolean {
  if (rollout === null || failsWithoutPods || policy.optIn === "no") return false;
  return kind === "expired" || (rollout.podsPer === "node" && (kind === "progressing" || kind === "not-started"));
}

/** Reports whether pods of the target exist, and some pods are unavailable for no other reason. */
export function hasFailingPods(rollout: Rollout | null, image: string | null, excused = 0): boolean {
  if (rollout === null || rollout.updatedReplicas === 0) return false;
  if (rollout.observedGeneration < rollout.generation) return false;
  if (image !== null && !isAsWritten(rollout.image ?? "", image)) return false;
  return rollout.updatedReplicas + rollout.oldReplicas - rollout.readyReplicas > excused;
}

/** Only an image can be restored as it was. */
function isImageUpdate({ phase }: InFlight): boolean {
  return phase === "rollout" || phase === "canary";
}

/** A restart changes no image, and a release is recognized by its whole template. */
function targetOf({ phase, target }: InFlight): string | null {
  return phase === "restart" || phase === "release" ? null : writtenImage(target);
}

/** Reports whether the replicas can show anything. The next Job of a CronJob is the first to run the image. */
function hasReplicas(rollout: Rollout | null): rollout is Rollout {
  return rollout !== null && (rollout.desiredReplicas > 0 || rollout.podsPer === "job");
}

/** Returns why there is no verdict, and no deadline either; null if there is one. */
function waitingReason(rollout: Rollout | null, { problems, failsWithoutPods }: Subject): string | null {
  if (problems.length > 0) return `not judged until it is fixed: ${describeProblems(problems)}`;
  if (rollout === null) return null;
  if (rollout.observedGeneration < rollout.generation) return "its controller has not observed the change yet";
  return hasReplicas(rollout) || failsWithoutPods ? null : "not judged while it is scaled to 0";
}

/**
 * Returns why a rollout is not complete on `image` (null: on the image of its template), but for `tolerated` pods; null
 * if it is complete.
 */
export function missingCondition(rollout: Rollout | null, image: string | null, tolerated = 0): string | null {
  if (rollout === null) return "the object that manages the pods does not exist";
  if (rollout.observedGeneration < rollout.generation) return "the controller has not observed the change yet";
  if (image !== null && (rollout.image === null || !isAsWritten(rollout.image, image))) {
    return `the pod template runs ${rollout.image ?? "no such container"}`;
  }
  const { desiredReplicas: desired, updatedReplicas, readyReplicas, oldReplicas, createFailure } = rollout;
  const needed = tolerated === 0 ? desired : Math.max(1, desired - tolerated);
  const cause = createFailure === undefined ? "" : `: ${createFailure}`;
  if (updatedReplicas < needed) return `${updatedReplicas} of ${desired} replicas updated${cause}`;
  if (oldReplicas > tolerated) return `${oldReplicas} old replicas are still running`;
  if (readyReplicas < needed) return `${readyReplicas} of ${desired} replicas ready${cause}`;
  return null;
}

const minWaitSeconds = 15;
const maxWaitSeconds = 60;
const maxIdleSeconds = 300;
const constantWaitSeconds = 120;

/**
 * Returns 15 s for the first two minutes, then half as long again each time up to 60 s, and never far past the
 * deadline, in `leftSeconds`. Adding half of the time since then grows each wait by half, without a counter to carry along.
 */
export function nextCheckSeconds(elapsedSeconds: number, leftSeconds: number): number {
  const untilExpired = leftSeconds < 0 ? minWaitSeconds : Math.floor(leftSeconds) + 1;
  return Math.round(Math.min(grown(elapsedSeconds), maxWaitSeconds, untilExpired));
}

/** Returns the wait while no deadline counts: it grows in the same way, up to five minutes. */
function idleCheckSeconds(elapsedSeconds: number): number {
  return Math.round(Math.min(grown(elapsedSeconds), maxIdleSeconds));
}

function grown(elapsedSeconds: number): number {
  return minWaitSeconds + Math.max(0, elapsedSeconds - constantWaitSeconds) / 2;
}
