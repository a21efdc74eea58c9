import type { Change, Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { KubernetesObject, ListScope, Resource } from "../objects.ts";

/**
 * One kind of workload: how it opts in, how its object is read, and in which order a change is written.
 * To add a kind, implement this interface and add it to `kinds/kinds.ts`.
 */
export interface WorkloadKind {
  readonly resource: Resource;
  /** The same objects in an older API version, for clusters that do not serve this one. */
  readonly olderVersion?: WorkloadKind;
  /** Whether a StatefulSet of the same name owns the pods: it waits forever for a pod that never becomes ready. */
  readonly isStatefulSet: boolean;
  /** The list scope that `isOptedIn` needs: annotations only, or the spec too. */
  readonly listScope: ListScope;
  /** Reports whether Pawl manages this object: it opted in, or an update is in flight. */
  isOptedIn(object: KubernetesObject): boolean;
  read(object: KubernetesObject, api: KubernetesApi): Promise<Workload>;
  /** Writes a change. Every patch has the resourceVersion that was read. Throws `Conflict` if it is outdated. */
  write(object: KubernetesObject, change: Change, api: KubernetesApi): Promise<void>;
}
