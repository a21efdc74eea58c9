import { backOffGate } from "../../../domain/gates/back-off.ts";
import { holdByGate, passGates } from "../../../domain/gates/gates.ts";
import { scheduleGate } from "../../../domain/gates/schedule.ts";
import { suspendedGate } from "../../../domain/gates/suspended.ts";
import type { Decision } from "../../../domain/workload/decision/decision.ts";
import { supersedableUpdate, withoutUpdate, yieldsToNewer } from "../../../domain/workload/supersede/fix-forward.ts";
import { isSupersedable, supersedesParked } from "../../../domain/workload/update/supersede-parked.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { decideByRegistry } from "./decide-by-registry.ts";
import type { WorkloadPorts } from "./evaluation-ports.ts";

/**
 * Looks for a version that may take the place of an update in flight whose pods fail already, or of a canary, by every rule that would apply without it.
 * Returns `adopt` if there is none, also if the registry gives no answer: the update in flight continues.
 */
export async function chooseNewer(
  workload: Workload,
  adopt: Extract<Decision, { readonly kind: "adopt" }>,
  evaluate: (workload: Workload) => Promise<Decision>,
): Promise<Decision> {
  const update = supersedableUpdate(workload);
  const isFailing = update?.failing !== undefined;
  if (update === null || !(isFailing || yieldsToNewer(workload, update))) return adopt;
  const found = await evaluate(withoutUpdate(workload, update, isFailing)).catch(() => adopt);
  return found.kind === "update" && found.target.kind === "image" && !found.isRequested ? found : adopt;
}

/** Looks for a version that is newer than a parked update of which nothing runs; null if there is none. */
export async function chooseInsteadOfParked(
  ports: WorkloadPorts,
  workload: Workload,
  now: Date,
): Promise<Extract<Decision, { readonly kind: "update" }> | null> {
  const { inFlight, source, problems, policy } = workload;
  if (inFlight === null || source === null || problems.length > 0 || policy.optIn === "no") return null;
  if (!isSupersedable(workload, inFlight)) return null;
  if (holdByGate(workload, null, now, suspendedGate, scheduleGate) !== null) return null;
  const { config: _config, ...byTag } = workload;
  const decision = passGates(workload, await decideByRegistry(ports, byTag, source, now), now, backOffGate);
  return decision.kind === "update" && supersedesParked(workload, inFlight, decision.target) ? decision : null;
}
