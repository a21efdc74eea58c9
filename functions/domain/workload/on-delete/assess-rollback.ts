import { assessRollback } from "../rollback/rollback-progress.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import { type OnDeleteReadiness, withoutFrozen } from "./assess-on-delete.ts";
import { nextPod, podCheckSeconds } from "./next-pod.ts";
import type { RolledPod } from "./pod.ts";

/**
 * Assesses a rollback whose pods Pawl replaces. It ends at its deadline only if a pod is not available again: time that Pawl itself
 * lost, pauses and refused evictions leave no pod of the failed version.
 */
export function assessRollbackOnDelete(
  workload: Workload,
  inFlight: InFlight,
  pods: readonly RolledPod[],
  now: Date,
): OnDeleteReadiness {
  const { rollout, policy } = workload;
  if (rollout === null) return assessRollback(workload, inFlight, now);
  const readiness = assessRollback({ ...workload, rollout: withoutFrozen(rollout, pods, now) }, inFlight, now);
  if (readiness.kind === "ready") return readiness;
  const next = nextPod(pods, rollout, policy.podPauseSeconds, now);
  // A refused eviction is tried again for as long as it is refused, as in an update.
  if (next.kind === "evict") return { kind: "roll", reason: `pod ${next.pod.name} is next` };
  if (next.kind === "pause") return { ...next, kind: "progressing" };
  if (next.kind === "blocked" || readiness.kind !== "progressing") return readiness;
  return { ...readiness, waitSeconds: Math.min(readiness.waitSeconds, podCheckSeconds(inFlight, now)) };
}
