import { assessRollback } from "../rollback-progress.ts";
import type { InFlight, Workload } from "../workload.ts";
import { type OnDeleteReadiness, withoutFrozen } from "./assess-on-delete.ts";
import { nextPod } from "./next-pod.ts";
import type { RolledPod } from "./pod.ts";

/**
 * Assesses a rollback whose pods Pawl replaces. It ends at its deadline only if a pod is not available again, or cannot be evicted: time
 * that Pawl itself lost, and pauses, leave no pod of the failed version.
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
  const isRefused = inFlight.observation?.kind === "waiting";
  if (next.kind === "evict" && (readiness.kind === "progressing" || !isRefused))
    return { kind: "roll", reason: `pod ${next.pod.name} is next` };
  if (next.kind === "pause") return { ...next, kind: "progressing" };
  if (next.kind !== "wait" || readiness.kind !== "progressing") return readiness;
  return { ...readiness, waitSeconds: Math.min(readiness.waitSeconds, next.waitSeconds) };
}
