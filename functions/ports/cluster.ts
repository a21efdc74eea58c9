import type { ContainerDigest } from "../domain/tracking.ts";
import type { Change, Workload, WorkloadRef } from "../domain/workload.ts";
import type { PullLogins } from "./registry.ts";

/** A Kubernetes Event on the workload. `key` makes it one Event however often the step that causes it is repeated. */
export interface Announcement {
  readonly type: "Normal" | "Warning";
  /** UpperCamelCase, at most 128 characters. */
  readonly reason: string;
  readonly message: string;
  readonly key: string;
}

export type OnRefused = (refusal: Error) => void;

/**
 * The workloads of one Kubernetes cluster.
 * Every method may throw `Unreachable` (no answer, or a 5xx), `Throttled` (429) or `Forbidden` (401, 403).
 */
export interface Cluster {
  /** The cluster's name, as it stands in events, logs and inputs of executions. */
  readonly name: string;

  /**
   * Every workload that opted in or has an update in flight. `onRefused` is told of each kind in each namespace that may not
   * be listed, and the others are; where it is left out, or nothing at all may be listed, `Forbidden` is thrown.
   */
  list(onRefused?: OnRefused): AsyncIterable<Workload>;

  /** The workload as it is now; null where it is gone or another object has taken its name. */
  read(ref: WorkloadRef): Promise<Workload | null>;

  /**
   * Writes the change on the `resourceVersion` at which `workload` was read.
   * Throws `Conflict` where the object has changed since, and writes nothing then.
   */
  change(workload: Workload, change: Change): Promise<void>;

  /**
   * After a rollback: takes away the pods that never became ready on `image`, where nobody else would (a StatefulSet's).
   * Throws `Conflict` while the pods' template still asks for `image`. null is all that are not of the template by now and
   * not ready, whatever they run.
   */
  freeStuckPods(workload: Workload, image: string | null): Promise<void>;

  /** What every pod of the workload that is not about to go says that its containers run, init containers included. */
  runningDigests(workload: Workload): Promise<readonly ContainerDigest[]>;

  /** The logins of its pull secrets; none where the deployment does not let Pawl read them. One that is not there is passed over. */
  pullLogins(workload: Workload): Promise<PullLogins>;

  /** The text of a named analysis, from the workload's own namespace; null where there is none of that name. */
  readAnalysis(workload: Workload, name: string): Promise<string | null>;

  /** Writes an Event. The same `key` on the same workload is written once. */
  announce(workload: Workload, announcement: Announcement): Promise<void>;
}
