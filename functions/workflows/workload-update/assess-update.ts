import type { Ports } from "../../contract/ports.ts";
import type { PodCounts } from "../../ports/cluster.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { staleDigestReason } from "../../domain/workload/digest/compare-digests.ts";
import { assessOnDelete, type OnDeleteReadiness } from "../../domain/workload/on-delete/assess-on-delete.ts";
import { assessReadiness, needsPods } from "../../domain/workload/update/readiness.ts";

/** Assesses all replicas of an update, by their counts and, if these do not tell, by the pods. */
export async function assessUpdate(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
): Promise<OnDeleteReadiness> {
  const running = inFlight.phase === "restart" ? await cluster.runningDigests(workload) : [];
  const stale = staleDigestReason(workload, running);
  const { rollout } = workload;
  if (rollout?.isOnDelete) {
    const pods = await cluster.listPods(workload);
    return assessOnDelete(rollout, pods, workload, inFlight, now(), { stale });
  }
  const time = now();
  const assess = (pods: PodCounts | null) => assessReadiness(rollout, workload, inFlight, time, { stale, ...pods });
  const byCounts = assess(null);
  return needsPods(byCounts, workload) ? assess(await cluster.countUnavailablePods(workload)) : byCounts;
}
