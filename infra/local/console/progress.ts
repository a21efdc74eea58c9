import type { StateChange } from "../step-functions/execution.ts";
import { poolSubject } from "./event-style.ts";

/** What a rollout in progress does or waits for. */
export interface RolloutProgress {
  readonly subject: string;
  readonly reason: string;
}

/** Returns the progress that a state reports; null for other states and for a rollout that is not in progress. */
export function parseProgress({ state, type, output }: StateChange): RolloutProgress | null {
  if (type !== "TaskStateExited" || output === undefined) return null;
  if (state === "CheckReadiness" || state === "AnalyzeRollout")
    return workloadProgress(JSON.parse(output) as WorkloadOutput);
  if (state === "ReconcileNodes") return poolProgress(JSON.parse(output) as PoolOutput);
  return state === "DrainNodes" ? drainProgress(JSON.parse(output) as DrainOutput) : null;
}

interface WorkloadOutput {
  readonly workload: { readonly namespace: string; readonly name: string };
  readonly rollout: { readonly kind: string; readonly reason: string };
}

function workloadProgress({ workload, rollout }: WorkloadOutput): RolloutProgress | null {
  if (rollout.kind !== "progressing" && rollout.kind !== "running") return null;
  return { subject: `${workload.namespace}/${workload.name}`, reason: rollout.reason };
}

interface PoolOutput {
  readonly pool: { readonly name: string };
  readonly round: { readonly kind: string; readonly reason: string };
}

interface DrainOutput {
  readonly pool: { readonly name: string };
  readonly outcome: { readonly kind: string; readonly reason: string };
}

function drainProgress({ pool, outcome }: DrainOutput): RolloutProgress | null {
  return outcome.kind === "drained" ? { subject: poolSubject(pool.name), reason: outcome.reason } : null;
}

function poolProgress({ pool, round }: PoolOutput): RolloutProgress | null {
  return round.kind === "working" ? { subject: poolSubject(pool.name), reason: round.reason } : null;
}
