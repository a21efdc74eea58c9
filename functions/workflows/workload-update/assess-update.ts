import type { Ports } from "../../contract/ports.ts";
import type { TimedStepResult } from "../../contract/workload-update.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import type { HeldClaim } from "../../domain/workload/claim.ts";
import { staleDigestReason } from "../../domain/workload/digest/compare-digests.ts";
import { nextObservation } from "../../domain/workload/observation.ts";
import { assessReadiness, needsPods, type Readiness } from "../../domain/workload/readiness.ts";

/** Assesses all replicas of an update, by their counts and, if these do not tell, by the pods. Notes what it saw. */
export async function assessUpdate(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
): Promise<Readiness> {
  const running = inFlight.phase === "restart" ? await cluster.runningDigests(workload) : [];
  const stale = staleDigestReason(workload, running);
  const time = now();
  const assess = (excused: number) => assessReadiness(workload.rollout, workload, inFlight, time, { stale, excused });
  const byCounts = assess(0);
  const readiness = needsPods(byCounts, workload) ? assess(await cluster.countExcusedPods(workload)) : byCounts;
  const observation = nextObservation(workload, readiness, time);
  if (observation !== null) await cluster.change(workload, { observation });
  return readiness;
}

/** Returns the result of a check without a verdict: the machine waits, and continues as new before the limit of its history. */
export function waitResult(
  { waitSeconds, reason }: { readonly waitSeconds: number; readonly reason: string },
  executionStartedAt: string,
  now: Date,
): TimedStepResult<"progressing" | "continue"> {
  return { kind: needsContinuation(executionStartedAt, now) ? "continue" : "progressing", waitSeconds, reason };
}
