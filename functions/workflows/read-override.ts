import { type OverridableGate, type Override } from "../domain/gates/override.ts";
import { overrideFor } from "../domain/gates/find-override.ts";
import type { Target } from "../domain/workload/target/target.ts";
import type { Workload } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";

/**
 * Returns the override of a gate for a target; null if there is none, or no admission policy proves who wrote it and with which right. Throws
 * `Unreachable` and `Throttled`.
 */
export async function readOverride(
  cluster: Pick<Cluster, "identityProblem">,
  workload: Workload,
  target: Target,
  gate: OverridableGate,
): Promise<Override | null> {
  const found = overrideFor(workload, target, gate);
  return found !== null && (await cluster.identityProblem("requests")) === null ? found : null;
}
