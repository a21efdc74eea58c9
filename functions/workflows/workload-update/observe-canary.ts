import type { Ports } from "../../contract/ports.ts";
import { assessCanary, type CanaryVerdict } from "../../domain/workload/canary/canary.ts";
import { assessHealth, type CanaryHealth, failCanary } from "../../domain/workload/canary/health.ts";
import { failUpdate, judgePods } from "../../domain/workload/update/judge-pods.ts";
import { needsPods } from "../../domain/workload/update/readiness.ts";
import type { ObservedClaim } from "./observe-claim.ts";

type ObservePorts = Pick<Ports, "now">;

/** Assesses whether a canary is ready at its step, by its counts and, before its version is blamed, by its pods. One that has failed decides. */
export function observeCanary({ now }: ObservePorts, { workload, inFlight, pods }: ObservedClaim): CanaryVerdict {
  const time = now();
  const byCounts = assessCanary(workload, inFlight, time);
  if (workload.verdict !== null || pods === null) return byCounts;
  const verdict = needsPods(byCounts, workload) ? assessCanary(workload, inFlight, time, pods) : byCounts;
  const failure = judgePods(workload, inFlight, pods.pods, time);
  return failure === null ? verdict : failUpdate(verdict, workload, failure, pods.control);
}

/** Assesses a canary that was ready before, in the same way. */
export function observeCanaryHealth({ now }: ObservePorts, { workload, inFlight, pods }: ObservedClaim): CanaryHealth {
  const time = now();
  const byCounts = assessHealth(workload, inFlight, time);
  if (pods === null) return byCounts;
  const health = byCounts.kind === "fail" ? assessHealth(workload, inFlight, time, pods) : byCounts;
  const failure = judgePods(workload, inFlight, pods.pods, time);
  return failure === null ? health : failCanary(health, failure, pods.control);
}
