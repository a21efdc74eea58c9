import type { StateChange } from "../step-functions/execution.ts";
import { poolSubject } from "./looks.ts";

/** What a rollout that is still moving waits for, or does. */
export interface Progress {
  readonly subject: string;
  readonly reason: string;
}

/** What the last look at a rollout found; null for any other step, and where it moves no more. */
export function progressOf({ state, type, output }: StateChange): Progress | null {
  if (type !== "TaskStateExited" || output === undefined) return null;
  if (state === "CheckReadiness") return ofWorkload(JSON.parse(output) as WorkloadOutput);
  if (state === "StepNodes") return ofPool(JSON.parse(output) as PoolOutput);
  return state === "DrainNodes" ? ofDrain(JSON.parse(output) as DrainOutput) : null;
}

interface WorkloadOutput {
  readonly workload: { readonly namespace: string; readonly name: string };
  readonly rollout: { readonly kind: string; readonly reason: string };
}

function ofWorkload({ workload, rollout }: WorkloadOutput): Progress | null {
  if (rollout.kind !== "progressing") return null;
  return { subject: `${workload.namespace}/${workload.name}`, reason: rollout.reason };
}

interface PoolOutput {
  readonly pool: { readonly name: string };
  readonly tick: { readonly kind: string; readonly reason: string };
}

interface DrainOutput {
  readonly pool: { readonly name: string };
  readonly outcome: { readonly kind: string; readonly reason: string };
}

function ofDrain({ pool, outcome }: DrainOutput): Progress | null {
  return outcome.kind === "drained" ? { subject: poolSubject(pool.name), reason: outcome.reason } : null;
}

function ofPool({ pool, tick }: PoolOutput): Progress | null {
  return tick.kind === "working" ? { subject: poolSubject(pool.name), reason: tick.reason } : null;
}
