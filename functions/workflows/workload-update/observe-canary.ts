import type { Ports } from "../../contract/ports.ts";
import { assessCanary, type CanaryVerdict } from "../../domain/workload/canary/canary.ts";
import { assessHealth, type CanaryHealth } from "../../domain/workload/canary/health.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { needsPods } from "../../domain/workload/update/readiness.ts";

type ObservePorts = Pick<Ports, "cluster" | "now">;

/** Assesses whether a canary is ready at its step, by its counts and, before its version is blamed, by its pods. */
export async function observeCanary(
  { cluster, now }: ObservePorts,
  { workload, inFlight }: HeldClaim,
): Promise<CanaryVerdict> {
  const time = now();
  const verdict = assessCanary(workload, inFlight, time);
  const isJudged = workload.verdict === null && needsPods(verdict, workload);
  return isJudged ? assessCanary(workload, inFlight, time, await cluster.countUnavailablePods(workload)) : verdict;
}

/** Assesses a canary that was ready before, in the same way. */
export async function observeCanaryHealth(
  { cluster, now }: ObservePorts,
  { workload, inFlight }: HeldClaim,
): Promise<CanaryHealth> {
  const time = now();
  const health = assessHealth(workload, inFlight, time);
  return health.kind === "fail"
    ? assessHealth(workload, inFlight, time, await cluster.countUnavailablePods(workload))
    : health;
}
