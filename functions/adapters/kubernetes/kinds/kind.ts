import type { Change, Workload } from "../../../domain/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { KubernetesObject, Resource } from "../objects.ts";

/**
 * One kind of workload: how it opts in, how its object is read, and in which order a change of it is written.
 * To add a kind is to implement this and to name it in `kinds/all.ts`.
 */
export interface WorkloadKind {
  readonly resource: Resource;
  /** The same objects as an older version has them, for clusters that do not serve this one. */
  readonly older?: WorkloadKind;
  /** Whether its pods are a StatefulSet's of the same name, which waits for ever for a pod that never becomes ready. */
  readonly isStatefulSet: boolean;
  /** What a list has to carry to tell who opted in: annotations alone, or the spec too. */
  readonly listedAs: "metadata" | "whole";
  /** Whether Pawl looks at this object at all: it opted in, or an update of it is in flight. */
  isOptedIn(object: KubernetesObject): boolean;
  read(object: KubernetesObject, api: KubernetesApi): Promise<Workload>;
  /** Every patch carries the resourceVersion that it was decided on. Throws `Conflict` where that has passed. */
  write(object: KubernetesObject, change: Change, api: KubernetesApi): Promise<void>;
}
