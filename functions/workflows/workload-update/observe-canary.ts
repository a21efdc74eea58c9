import type { Ports } from "../../contract/ports.ts";
import { assessCanary, type CanaryVerdict } from "../../domain/workload/canary/canary.ts";
import { assessHealth, type CanaryHealth, failCanary } from "../../domain/workload/canary/health.ts";
import { assessCanaryOnDelete, isCanaryRolled } from "../../domain/workload/on-delete/assess-on-delete.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { failUpdate, judgePods } from "../../domain/workload/update/judge-pods.ts";
import { needsPods } from "../../domain/workload/update/readiness.ts";
import type { ObservedClaim } from "./observe-claim.ts";

type ObservePorts = Pick<Ports, "now">;
type Observed = ReturnType<typeof assessCanaryOnDelete>;

/** Assesses whether a canary is ready at its step, by its counts and, before its version is blamed, by its pods. One that has failed decides. */
export async function observeCanary(ports: Pick<Ports, "cluster" | "now">, claim: ObservedClaim): Promise<Observed> {
  const { workload, inFlight, pods } = claim;
  const time = ports.now();
  const byCounts = assessCanary(workload, inFlight, time);
  if (workload.verdict !== null || pods === null) return rollCanary(ports, claim, byCounts);
  const verdict = needsPods(byCounts, workload) ? assessCanary(workload, inFlight, time, pods) : byCounts;
  const next = await rollCanary(ports, claim, verdict);
  const failure = judgePods(workload, inFlight, pods.pods, time);
  return failure === null ? next : failUpdate(next, workload, failure, pods.control);
}

/** Assesses a canary of which Pawl may have to replace another pod first. */
export async function rollCanary(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  verdict: CanaryVerdict,
): Promise<Observed> {
  if (!isCanaryRolled(workload)) return verdict;
  return assessCanaryOnDelete(verdict, workload, inFlight, await cluster.listPods(workload), now());
}

/** Assesses a canary that was ready before, in the same way. */
export function observeCanaryHealth({ now }: ObservePorts, { workload, inFlight, pods }: ObservedClaim): CanaryHealth {
  const time = now();
  const byCounts = assessHealth(workload, inFlight, time);
  if (pods === null) return byCounts;
  const health = byCounts.kind === "fail" ? assessHealth(workload, inFlight, time, pods) : byCounts;
  const failure = judgePods(workload, inFlight, pods.pods, time);
  return failure === null ? health : failCanary(health, workload, failure, pods.control);
}
