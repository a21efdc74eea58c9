import type { Change } from "../../../domain/workload/update/change.ts";
import type { RecordSource } from "../../../domain/workload/record/record-source.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { AutoUpdate } from "../auto-update/object.ts";
import type { BuiltInObject } from "./pod-template/pod-template.ts";
import type { KubernetesObject, ListScope, ObjectMeta, Resource } from "../objects.ts";

/**
 * One kind of workload: how it opts in, how its object is read, and in which order a change is written.
 * To add a kind, implement this interface and add it to `kinds/kinds.ts`.
 */
export interface WorkloadKind {
  readonly resource: Resource;
  /** The same objects in an older API version, for clusters that do not serve this one. */
  readonly olderVersion?: WorkloadKind;
  /** Whether a StatefulSet owns the pods, of the same name or the stable set of a StatefulCanary: it waits forever for a pod that never becomes ready. */
  readonly isStatefulSet: boolean;
  /** Returns the name of the workload that an object is the canary of; null if it is none. Absent if no object of the kind is one. */
  readonly canaryOwnerName?: (metadata: ObjectMeta) => string | null;
  /** Whether its updates are recorded in an AutoUpdate. If not, in its own status. */
  readonly usesAutoUpdate: boolean;
  /** The list scope that `isOptedIn` needs: annotations only, or the spec too. */
  readonly listScope: ListScope;
  /** Reports whether its own fields or annotations opt in, or say that an update is in flight. */
  isOptedIn(object: KubernetesObject): boolean;
  /** `autoUpdate` is null if there is none, and for a kind that uses none. */
  read(object: KubernetesObject, api: KubernetesApi, autoUpdate: AutoUpdate | null): Promise<Workload>;
  /** Reads the StatefulSet of an object that has no revisions of its own; null if it owns none. Absent if the kind has some, or needs none. */
  readonly findOwnSet?: (object: KubernetesObject, api: KubernetesApi) => Promise<BuiltInObject | null>;
  /** Writes a change. Every patch has the resourceVersion that was read. Throws `Conflict` if it is outdated. */
  write(target: WriteTarget, change: Change, api: KubernetesApi): Promise<void>;
}

/** What a change is written to, all of it as it was read. */
export interface WriteTarget {
  readonly object: KubernetesObject;
  readonly autoUpdate: AutoUpdate | null;
  readonly workload: Workload;
}

/** Who holds claims. */
export interface ClaimHolder {
  /** Of the installation: the ARN of its state machine, or a process. */
  readonly id: string;
  /** Reports whether another holder is known not to run any more, so that its claims need not expire. */
  isLost(id: string): boolean;
}

/** For a kind that has the record in its own status. */
export const ownRecord: RecordSource = {
  resourceVersion: null,
  state: "observed",
  isManaged: false,
  claimedElsewhereUntil: null,
};
