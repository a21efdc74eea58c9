import type { Ports } from "../../contract/ports.ts";
import { describeEvidence } from "../../domain/health/evidence.ts";
import { failingAlready } from "../../domain/health/failing.ts";
import { supersedableUpdate } from "../../domain/workload/supersede/fix-forward.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { hasFailingPods } from "../../domain/workload/update/readiness.ts";

/**
 * Returns what a check without a verdict has to note of pods that fail already: a poll looks for a newer version then. null if that is noted.
 * Reads the pods only of an update that a newer one may supersede, and only if some of its pods are unavailable.
 */
export async function noteFailing(
  { cluster }: Pick<Ports, "cluster">,
  { workload, inFlight }: HeldClaim,
): Promise<Pick<Change, "failing"> | null> {
  const { rollout, canary } = workload;
  const replicas = inFlight.phase === "canary" ? canary : rollout;
  const isRead = supersedableUpdate(workload) !== null && hasFailingPods(replicas, inFlight.target.image);
  const evidence = isRead ? (await cluster.countUnavailablePods(workload)).evidence : [];
  const failing = describeEvidence(failingAlready(evidence), replicas?.desiredReplicas);
  // Written once: the number of its restarts grows.
  return (failing === null) === (inFlight.failing === undefined) ? null : { failing };
}
