import type { BehaviourName } from "./behaviours.ts";

/** One poll: honest repositories, and hostile ones beside them. */
export interface Job {
  readonly honest: { readonly host: string; readonly images: number; readonly tags: number };
  readonly hostile: readonly { readonly host: string; readonly behaviour: BehaviourName }[];
  readonly repositoriesPerHost: number;
  /** The poll continues for so long after the last honest workload was decided, so that memory is measured under attack. */
  readonly extraSeconds: number;
}

export interface Result {
  /** From the start of the poll until the last honest workload was decided. */
  readonly honestSeconds: number;
  /** Honest repositories whose newest tag was found. */
  readonly honestDecided: number;
  /** How many listings had failed by the end, by behaviour; those that stall fail later. */
  readonly failures: Readonly<Record<string, number>>;
}
