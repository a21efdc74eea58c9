import type { AuditEntry } from "../workload/audit/audit-entry.ts";
import type { HeldWorkload } from "./daily-digest.ts";

/** What is published about a whole cluster. */
export type ClusterEventType = "Freezes Changed" | "Daily Digest";

/** The detail of every event of a cluster. The schema is stable: fields are added, never changed. */
export interface ClusterEventDetail {
  readonly cluster: string;
  /** A text for people. */
  readonly reason: string;
  /** What a person has done; absent of a digest. */
  readonly audit?: AuditEntry;
  /** The one target that a digest is for, its day there, what is held, and how much more. */
  readonly target?: string;
  readonly date?: string;
  readonly held?: readonly HeldWorkload[];
  readonly more?: number;
}
