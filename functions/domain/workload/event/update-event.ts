import { imageOfTarget, type Target, versionOfTarget } from "../target/target.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";

export const updateEventTypes = [
  "Update Available",
  "Update Started",
  "Hook Succeeded",
  "Hook Failed",
  "Canary Paused",
  "Canary Promoted",
  "Update Succeeded",
  "Update Rolled Back",
  "Update Withdrawn",
  "Update Superseded",
  "Circuit Opened",
  "Update Held",
  "Person Acted",
] as const;

export type UpdateEventType = (typeof updateEventTypes)[number];

/** One event of an update, emitted as a Kubernetes Event on the workload and on the event bus. */
export interface UpdateEvent {
  readonly event: UpdateEventType;
  readonly type: "Normal" | "Warning";
  /** The Event's reason; k8s4claw's own if it has one. */
  readonly reason: string;
  readonly message: string;
  /** Deduplicates: repeated emissions with one key become one Event. */
  readonly key: string;
  readonly execution: string | null;
  readonly version: string | null;
  readonly image: string | null;
  /** The pods that failed; absent if none did, or none is known. */
  readonly evidence?: string | null;
  /** A person requested that a version runs no longer, and this happened; absent of any other event. */
  readonly requested?: true;
  /** What a person has done; absent of any other event. */
  readonly audit?: AuditEntry;
}

/** Returns what an event of an update to `target` is about. Repeated for one execution, it is one Event. */
export function aboutTarget(target: Target, execution: string | null) {
  return { key: execution ?? "", execution, version: versionOfTarget(target), image: imageOfTarget(target) };
}
