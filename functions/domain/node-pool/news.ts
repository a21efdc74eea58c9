import { shortenDigests } from "../short-digests.ts";

export const poolEventTypes = [
  "Node Pool Update Available",
  "Node Pool Rollout Started",
  "Node Pool Rollout Completed",
  "Node Pool Rollout Halted",
  "Node Pool Degraded",
  "Node Pool Recovered",
  "Node Drain Slow",
] as const;

export type PoolEventType = (typeof poolEventTypes)[number];

/** One thing that happened to a pool or to a node of it, told as an Event on it and, where it has a type there, on the bus. */
export interface PoolNews {
  /** null is not put on the bus: what each of a thousand nodes does would flood it. */
  readonly event: PoolEventType | null;
  readonly type: "Normal" | "Warning";
  /** The Event's reason; bootc-operator's own, but for `EvictionRefused`, which it does not tell. */
  readonly reason: string;
  readonly message: string;
  /** Makes one Event of what is told more than once. */
  readonly key: string;
  readonly execution: string | null;
  /** By digest; null while it is not known what the nodes are to run. */
  readonly image: string | null;
}

/** A message for people, with the execution that caused it. */
export function inWords(text: string, execution: string | null): string {
  return shortenDigests(text) + (execution === null ? "" : ` (execution ${execution})`);
}
