import type { Ports } from "../../contract/ports.ts";
import type { PodCounts } from "../../ports/cluster.ts";
import { assessJobs } from "../../domain/workload/cron-job/assess-jobs.ts";
import { staleDigestReason } from "../../domain/workload/digest/compare-digests.ts";
import { assessOnDelete, type OnDeleteReadiness } from "../../domain/workload/on-delete/assess-on-delete.ts";
import { failUpdate, judgePods } from "../../domain/workload/update/judge-pods.ts";
import { assessReadiness, needsPods } from "../../domain/workload/update/readiness.ts";
import type { ObservedClaim } from "./observe-claim.ts";

/** Of a CronJob whose update is not parked. */
const jobCheckSeconds = 60;

/**
 * Assesses all replicas of an update, by their counts and, if these do not tell, by the pods; that of a CronJob by its Jobs. A pod that has
 * failed decides.
 */
export async function assessUpdate(
  ports: Pick<Ports, "cluster" | "now">,
  claim: ObservedClaim,
): Promise<OnDeleteReadiness> {
  const { workload, inFlight, pods } = claim;
  const readiness = await assessReplicas(ports, claim);
  const failure = pods && judgePods(workload, inFlight, pods.pods, ports.now());
  return pods === null || failure === null ? readiness : failUpdate(readiness, workload, failure, pods.control);
}

async function assessReplicas(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight, pods: observed }: ObservedClaim,
): Promise<OnDeleteReadiness> {
  const jobs = workload.rollout?.jobs;
  if (jobs !== undefined) {
    const verdict = assessJobs(workload, jobs, inFlight, await cluster.listJobs(workload));
    return verdict.kind === "waiting" ? { ...verdict, waitSeconds: jobCheckSeconds } : verdict;
  }
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
  return needsPods(byCounts, workload) ? assess(observed ?? (await cluster.countUnavailablePods(workload))) : byCounts;
}
