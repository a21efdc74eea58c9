import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import { findCause } from "../../../domain/health/cause.ts";
import type { RolledPod } from "../../../domain/workload/on-delete/pod.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { BuiltInObject } from "../kinds/pod-template/pod-template.ts";
import { isPodSuperseded } from "../kinds/canary/node-mark.ts";
import { readHashes } from "../kinds/pod-template/revisions.ts";
import { formatLabelSelector } from "../label-selector.ts";
import type { LabelSelector } from "../../../domain/text/label-selector.ts";
import type { PodTemplate, Resource } from "../objects.ts";
import { hasCrashed, isFrozen, isReady, ordinalOf, type Pod, podFacts, readySince, revisionLabel } from "./pod.ts";
import { isExcused } from "./excused-pods.ts";
import { controlFailure } from "./failed-control.ts";

/** A StatefulSet or a DaemonSet. */
interface WithPods extends BuiltInObject {
  readonly spec: {
    readonly template: PodTemplate;
    readonly selector: LabelSelector;
    readonly minReadySeconds?: number;
  };
  /** Of a StatefulSet. The status of a DaemonSet does not name its revision. */
  readonly status?: { readonly updateRevision?: string };
}

/** Lists the pods of a StatefulSet or DaemonSet, and whether each is of the revision of its template. */
export async function listRolledPods(
  workload: Pick<Workload, "ref" | "inFlight" | "policy">,
  resource: Resource,
  api: KubernetesApi,
  now: Date,
): Promise<readonly RolledPod[]> {
  const { namespace, name, uid, kind } = workload.ref;
  const object = await api.get<WithPods>(resource, namespace, name);
  if (object?.metadata.uid !== uid) return [];
  const updateRevision = object.status?.updateRevision;
  const revisions = updateRevision === undefined ? await readHashes(object, resource, api) : [];
  const revision = updateRevision ?? revisions[0]?.hash ?? null;
  const pods = await api.listPods(namespace, formatLabelSelector(object.spec.selector));
  const { minReadySeconds = 0 } = object.spec;
  const toRolledPod = (pod: Pod): RolledPod => {
    const failure = controlFailure(pod, workload, now);
    return {
      name: pod.metadata.name,
      uid: pod.metadata.uid,
      ordinal: kind === "StatefulSet" ? ordinalOf(pod) : null,
      node: kind === "DaemonSet" ? (pod.spec.nodeName ?? null) : null,
      // Of an unknown revision, none is replaced.
      isUpdated: revision === null || pod.metadata.labels?.[revisionLabel] === revision,
      isSuperseded: isPodSuperseded(pod, object.metadata, revisions),
      isFrozen: isFrozen(pod),
      isTerminating: pod.metadata.deletionTimestamp !== undefined,
      availableAt: addSeconds(readySince(pod), minReadySeconds),
      isExcused: isExcused(pod, now),
      hasCrashed: hasCrashed(pod),
      hasFailedSinceStart: failure !== null,
      cause: failure ?? (isReady(pod) ? null : findCause(podFacts(pod))),
    };
  };
  return pods
    .filter(({ metadata: { ownerReferences = [] } }) => ownerReferences.some((owner) => owner.uid === uid))
    .map(toRolledPod);
}

function addSeconds(date: Date | null, seconds: number): Date | null {
  return date === null ? null : secondsAfter(date, seconds);
}
