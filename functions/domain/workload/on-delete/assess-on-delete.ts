import type { Cause } from "../../health/cause.ts";
import type { Evidence } from "../../health/evidence.ts";
import type { CanaryVerdict } from "../canary/canary.ts";
import { assessReadiness, type PodEvidence, type Readiness } from "../update/readiness.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Rollout, Workload } from "../workload.ts";
import { nextPod, podCheckSeconds } from "./next-pod.ts";
import { isAvailable, isSkipped, type RolledPod } from "./pod.ts";

/** Another pod needs to be replaced first. */
interface Roll {
  readonly kind: "roll";
  readonly reason: string;
}

export type OnDeleteReadiness = Readiness | Roll;

type Subject = Pick<Workload, "policy" | "problems" | "failsWithoutPods">;

/**
 * Assesses an update whose pods Pawl replaces. There is no verdict while the next pod may be replaced, or in the pause before it: the health
 * timeout counts for each pod, from its eviction.
 */
export function assessOnDelete(
  rollout: Rollout,
  pods: readonly RolledPod[],
  subject: Subject,
  inFlight: InFlight,
  now: Date,
  { stale = null }: Pick<PodEvidence, "stale"> = {},
): OnDeleteReadiness {
  const frozen = frozenPods(pods);
  // A frozen pod runs the previous digest, and so does one that is not replaced yet.
  const evidence = { ...countPods(pods), stale: pods.every((pod) => pod.isUpdated) ? stale : null };
  const verdict = assessReadiness(withoutFrozen(rollout, pods, now), subject, inFlight, now, evidence);
  if (verdict.kind === "ready" || subject.policy.optIn === "no") return verdict;
  if (verdict.kind === "waiting")
    return frozen.length === pods.length && frozen.length > 0
      ? { ...verdict, reason: `not judged: ${frozenReason(frozen)}` }
      : verdict;
  const next = nextPod(pods, rollout, subject.policy.podPauseSeconds, now);
  if (next.kind === "evict") return { kind: "roll", reason: `pod ${next.pod.name} is next` };
  if (next.kind === "pause") return { ...next, kind: "progressing" };
  if (next.kind === "blocked") return { ...next, kind: "waiting" };
  if (verdict.kind !== "progressing") return verdict;
  const waitSeconds = Math.min(verdict.waitSeconds, podCheckSeconds(inFlight, now));
  return { ...verdict, waitSeconds, reason: next.kind === "none" ? verdict.reason : next.reason };
}

/**
 * Assesses a canary whose pods Pawl replaces: while it has too few, another one is next, unless the canary is decided. As in an update,
 * there is no verdict then. One that is `ready` may have lost a node since.
 */
export function assessCanaryOnDelete(
  verdict: CanaryVerdict,
  { rollout, canary, policy, verdict: decided }: Workload,
  inFlight: InFlight,
  pods: readonly RolledPod[],
  now: Date,
): CanaryVerdict | Roll {
  const isDecided = policy.optIn === "no" || decided === "promote" || decided === "abort";
  if (isDecided || rollout === null || canary === null || !undecidedCanary.has(verdict.kind)) return verdict;
  const next = nextPod(pods, rollout, policy.podPauseSeconds, now, canary.desiredReplicas);
  if (next.kind === "evict") return { kind: "roll", reason: `pod ${next.pod.name} is next` };
  if (next.kind === "pause") return { ...next, kind: "progressing" };
  if (next.kind === "blocked") return { ...next, kind: "waiting" };
  if (verdict.kind !== "progressing") return verdict;
  return { ...verdict, waitSeconds: Math.min(verdict.waitSeconds, podCheckSeconds(inFlight, now)) };
}

const undecidedCanary: ReadonlySet<string> = new Set(["ready", "progressing", "not-started", "expired"]);

/** Reports whether Pawl may have to replace pods of a canary. */
export function isCanaryRolled({ rollout, canary }: Pick<Workload, "rollout" | "canary">): boolean {
  return rollout?.isOnDelete === true && canary !== null && canary.updatedReplicas < canary.desiredReplicas;
}

/** Returns the names of the pods that keep their revision, because their owner has frozen them. */
export function frozenPods(pods: readonly RolledPod[]): readonly string[] {
  return pods
    .filter(isSkipped)
    .map(({ name }) => name)
    .toSorted();
}

/** Describes the pods that an update has left as they are; null if there is none. */
export function frozenReason(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return names.length === 1
    ? `pod ${names[0]} is frozen and keeps its revision`
    : `pods ${names.join(", ")} are frozen and keep their revision`;
}

/** Returns the rollout without its frozen pods. */
export function withoutFrozen(rollout: Rollout, pods: readonly RolledPod[], now: Date): Rollout {
  const frozen = pods.filter(isSkipped);
  const available = frozen.filter((pod) => isAvailable(pod, now));
  return {
    ...rollout,
    desiredReplicas: rollout.desiredReplicas - frozen.length,
    readyReplicas: rollout.readyReplicas - available.length,
    oldReplicas: Math.max(0, rollout.oldReplicas - frozen.length),
  };
}

/** Returns the pods of one side that have failed since the update began: of the revision of the template, or of others. */
export function controlOf(pods: readonly RolledPod[], isUpdated: boolean): readonly Evidence[] {
  return pods
    .filter((pod) => pod.isUpdated === isUpdated && pod.hasFailedSinceStart)
    .map(({ name, cause }) => ({ pod: name, cause: cause as Cause }));
}

/** Counts the unavailable pods that are not frozen, by their cause. */
function countPods(pods: readonly RolledPod[]): Required<Omit<PodEvidence, "stale">> {
  const unavailable = pods.filter((pod) => pod.availableAt === null && !isSkipped(pod));
  const evidence = unavailable
    .filter((pod) => pod.isUpdated && !pod.isExcused)
    .map(({ name, cause }) => ({ pod: name, cause: cause as Cause }));
  return {
    excused: unavailable.filter((pod) => pod.isExcused || !pod.isUpdated).length,
    failing: evidence.filter(({ cause }) => cause.blames === "version").length,
    evidence,
    control: controlOf(pods, false),
    crashed: unavailable.filter((pod) => pod.isUpdated && pod.hasCrashed).length,
  };
}
