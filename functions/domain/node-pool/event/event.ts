import { abbreviateDigests } from "../../image/abbreviate-digests.ts";

export const poolEventTypes = [
  "Node Pool Update Available",
  "Node Pool Rollout Started",
  "Node Pool Rollout Completed",
  "Node Pool Rollout Paused",
  "Node Pool Rollout Halted",
  "Node Pool Degraded",
  "Node Pool Recovered",
  "Node Drain Slow",
] as const;

export type PoolEventType = (typeof poolEventTypes)[number];

/** One Event of a pool or of one of its nodes. It is also published on the event bus if it has a type there. */
export interface PoolEvent {
  /** null if it is not published on the bus: the Events of a thousand nodes would flood it. */
  readonly event: PoolEventType | null;
  readonly type: "Normal" | "Warning";
  /** The Event's reason, as in bootc-operator; `EvictionRefused` is Pawl's own. */
  readonly reason: string;
  readonly message: string;
  /** Deduplicates: an Event with the same key is emitted once. */
  readonly key: string;
  readonly execution: string | null;
  /** By digest; null while the target is unknown. */
  readonly image: string | null;
}

/** Appends the execution to a message, with shortened digests. */
export function withExecution(text: string, execution: string | null): string {
  return abbreviateDigests(text) + (execution === null ? "" : ` (execution ${execution})`);
}
