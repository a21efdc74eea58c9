import type { PoolEventType } from "../domain/node-pool/event/event.ts";
import type { AuditEntry } from "../domain/workload/audit/audit-entry.ts";
import type { ClusterEventDetail, ClusterEventType } from "../domain/notification/cluster-event.ts";
import type { WorkloadRef } from "../domain/workload/workload.ts";
import type { PoolRef } from "./node-pools.ts";
import type { UpdateEventType } from "../domain/workload/event/update-event.ts";

/** The detail of every workload event on the bus. The schema is stable: fields are added, never changed. */
export interface UpdateEventDetail {
  readonly cluster: string;
  readonly workload: WorkloadRef;
  /** null if no execution is involved. */
  readonly execution: string | null;
  /** The current tag, and the tag that the event is about; null if there is none or it is unknown. */
  readonly currentVersion: string | null;
  readonly version: string | null;
  /** The image reference that the event is about. */
  readonly image: string | null;
  /** A sentence for people; null if the type says everything. */
  readonly reason: string | null;
  /** The pods that failed, at most 200 characters; null if none did, or none is known. */
  readonly evidence: string | null;
  /** The notification targets that the workload names. */
  readonly notify: readonly string[];
  /** A person requested this rollback. */
  readonly requested?: true;
  /** What a person has done, of an event about that. */
  readonly audit?: AuditEntry;
}

/** The detail of every node pool event. Its schema is stable in the same way. */
export interface PoolEventDetail {
  readonly cluster: string;
  readonly nodePool: PoolRef;
  /** The node that the event is about; null if it is about the whole pool. */
  readonly node: string | null;
  /** null if no execution is involved. */
  readonly execution: string | null;
  /** The target image by digest, and that digest; null until it is resolved. */
  readonly image: string | null;
  readonly digest: string | null;
  /** A sentence for people, at most 1,024 characters; null if the type says everything. */
  readonly reason: string | null;
  /** The notification targets that the pool names. */
  readonly notify: readonly string[];
}

/** Publishes events on a bus (source `pawl`). A failure never ends a step: `runtime/report-lost-events.ts` logs and counts it. */
export interface Events {
  publish(type: UpdateEventType, detail: UpdateEventDetail): Promise<void>;

  /** Truncates a longer `reason`: a pool may have a thousand nodes, each with its own problem. */
  publishPool(type: PoolEventType, detail: PoolEventDetail): Promise<void>;

  publishCluster(type: ClusterEventType, detail: ClusterEventDetail): Promise<void>;
}
