import { describeEvidence } from "../../domain/health/evidence.ts";
import { failingAlready } from "../../domain/health/failing.ts";
import { supersedableUpdate } from "../../domain/workload/supersede/fix-forward.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { hasFailingPods } from "../../domain/workload/update/readiness.ts";
import type { ObservedClaim } from "./observe-claim.ts";

/**
 * Returns what a check without a verdict has to note of pods that fail already, of an update that a newer one may supersede: a poll looks for
 * a newer version then. null if that is noted.
 */
export function noteFailing({ workload, inFlight, pods }: ObservedClaim): Pick<Change, "failing"> | null {
  const { rollout, canary } = workload;
  const replicas = inFlight.phase === "canary" ? canary : rollout;
  const isJudged = supersedableUpdate(workload) !== null && hasFailingPods(replicas, inFlight.target.image);
  const evidence = isJudged && pods !== null ? pods.evidence : [];
  const failing = describeEvidence(failingAlready(evidence), replicas?.desiredReplicas);
  // Written once: the number of its restarts grows.
  return (failing === null) === (inFlight.failing === undefined) ? null : { failing };
}
