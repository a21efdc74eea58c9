import type { Ports } from "../../contract/ports.ts";
import { observePods } from "../../domain/health/health.ts";
import { checkClaim, type Claim, type HeldClaim } from "../../domain/workload/update/claim.ts";
import { isPodHealthJudged } from "../../domain/workload/update/judge-pods.ts";
import type { PodCounts } from "../../ports/cluster.ts";

/** A claim with the pods of its update; null if its kind is not judged by them, or none exists. */
export interface ObservedClaim extends HeldClaim {
  readonly pods: PodCounts | null;
}

/**
 * Reads the pods of an update and records what they show before anything is decided from it, so that an execution that is stopped loses
 * nothing. Records only what has changed.
 */
export async function observeClaim(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  claim: Claim,
): Promise<ObservedClaim | Exclude<Claim, HeldClaim>> {
  if (claim.kind === "lost") return claim;
  const { workload, inFlight } = claim;
  if (!isPodHealthJudged(workload, inFlight)) return { ...claim, pods: null };
  const pods = await cluster.countUnavailablePods(workload);
  const health = observePods(inFlight.health, pods.pods, now());
  if (health === undefined || health === inFlight.health) return { ...claim, pods };
  await cluster.change(workload, { health });
  const written = checkClaim(await cluster.read(workload.ref), inFlight.execution ?? "", inFlight.target);
  return written.kind === "lost" ? written : { ...written, pods };
}
