import { type PoolEventType, poolEventTypes } from "../node-pool/event/event.ts";
import type { ClusterEventType } from "./cluster-event.ts";
import { type UpdateEventType, updateEventTypes } from "../workload/event/update-event.ts";

export type EventType = UpdateEventType | PoolEventType | Exclude<ClusterEventType, "Daily Digest">;

/** Those that a target may select: a digest is for one target. */
export const eventTypes: readonly EventType[] = [...updateEventTypes, ...poolEventTypes, "Freezes Changed"];

/** What a target is notified of: a failure, or that a person is needed, is "failure". All other types are published only. */
export const notifiedEvents = {
  success: ["Update Succeeded", "Node Pool Rollout Completed", "Node Pool Recovered"],
  failure: [
    "Update Rolled Back",
    "Circuit Opened",
    "Update Held",
    "Hook Failed",
    "Canary Paused",
    "Node Pool Rollout Paused",
    "Node Pool Rollout Halted",
    "Node Pool Degraded",
    "Node Drain Slow",
  ],
} as const satisfies Readonly<Record<string, readonly EventType[]>>;

export type EventOutcome = keyof typeof notifiedEvents | "information";

/** Returns what an event says about an update. A type of a later version is information. */
export function outcomeOf(type: string): EventOutcome {
  const outcomes = ["success", "failure"] as const;
  return outcomes.find((outcome) => (notifiedEvents[outcome] as readonly string[]).includes(type)) ?? "information";
}
