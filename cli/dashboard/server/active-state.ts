import type { InFlight } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";

/** Returns the state of `workload-update` that the execution is in, as the cluster shows it; null if nothing is in flight. */
export function activeState({ inFlight, canaryProgress }: Workload): string | null {
  if (inFlight === null) return null;
  const { phase, hook, observation, isApplied, revertedAt, parked } = inFlight;
  if (phase === "rollback") return revertedAt === undefined ? "RollBack" : "CheckRollback";
  if (hook !== undefined && hook.result === null) return "CheckHook";
  if (observation?.kind === "baking") return "AnalyzeRollout";
  if (isApplied === false) return applyStates[phase];
  if (parked !== undefined) return phase === "canary" ? "ParkedCanary" : "Parked";
  if (phase !== "canary") return "CheckReadiness";
  return canaryProgress === null || canaryProgress.waitsFor === "Replicas" ? "CheckCanary" : "AnalyzeCanary";
}

const applyStates = {
  canary: "StartCanary",
  rollout: "ApplyUpdate",
  restart: "ApplyUpdate",
  release: "RestoreRelease",
} as const satisfies Record<Exclude<InFlight["phase"], "rollback">, string>;
