import type { LabelSelector } from "../../../domain/text/label-selector.ts";
import type { InFlight } from "../../../domain/workload/update/in-flight.ts";
import type { Workload, WorkloadRef } from "../../../domain/workload/workload.ts";
import type { PodCounts } from "../../../ports/cluster.ts";
import type { KubernetesApi } from "../api.ts";
import { isTarget } from "../kinds/record/claim-state.ts";
import { nameBeside, roleOf } from "../kinds/canary/beside.ts";
import type { BuiltInObject } from "../kinds/pod-template/pod-template.ts";
import { readLatestHash } from "../kinds/pod-template/revisions.ts";
import { resource as statefulCanary } from "../kinds/stateful-canary/object.ts";
import { setNames } from "../kinds/stateful-canary/set.ts";
import { statefulSet } from "../kinds/built-in/stateful-set.ts";
import { formatLabelSelector } from "../label-selector.ts";
import type { KubernetesObject, PodTemplate, Resource } from "../objects.ts";
import { isExcused } from "./excused-pods.ts";
import { controlFailure } from "./failed-control.ts";
import { observePod } from "./observe-pod.ts";
import { evidenceOf, hasCrashed, conditionOf, isReady, type Pod, revisionLabel, templateLabel } from "./pod.ts";

interface WithPods extends BuiltInObject {
  readonly spec: { readonly template: PodTemplate; readonly selector?: LabelSelector };
  /** Only a StatefulSet has it. */
  readonly status?: { readonly updateRevision?: string };
}

/** Counts the unavailable pods of a workload, or of its canary in flight, by their cause. Reads no Nodes: that needs a right that Pawl does not have. */
export async function countUnavailablePods(
  workload: Pick<Workload, "ref" | "inFlight" | "policy">,
  resource: Resource,
  api: KubernetesApi,
  now: Date,
): Promise<PodCounts> {
  const { ref, inFlight } = workload;
  const isCanary = inFlight?.phase === "canary";
  const owner = podOwner(ref, resource, isCanary);
  const { object, pods } = await listPodsOf(owner, ref, api);
  if (object === null) return noPods;
  const failureOf = (pod: Pod) => controlFailure(pod, workload, now);
  const isHashNeeded = isCanary || pods.some((pod) => isFailing(pod) || hasExited(pod) || failureOf(pod) !== null);
  const hash = isHashNeeded ? await readUpdateHash(object, owner.resource, api) : null;
  const isOfUpdate = ({ metadata: { labels = {} } }: Pod) =>
    hash === null || labels[revisionLabel] === hash || labels[templateLabel] === hash;
  const judged = isCanary ? pods.filter(isOfUpdate) : pods;
  const evidence = pods.filter((pod) => isFailing(pod) && isOfUpdate(pod) && !isExcused(pod, now)).map(evidenceOf);
  // A canary may be an object beside its workload.
  const isBeside = isCanary && (owner.name !== ref.name || ref.kind === statefulCanary.kind);
  const others = isBeside ? (await listPodsOf(podOwner(ref, resource, false), ref, api, true)).pods : pods;
  const isControl = (pod: Pod) => isBeside || isOfUpdate(pod) === (inFlight?.phase === "rollback");
  return {
    control: others.filter(isControl).flatMap((pod) => {
      const cause = failureOf(pod);
      return cause === null ? [] : [{ pod: pod.metadata.name, cause }];
    }),
    excused: judged.filter((pod) => isExcused(pod, now)).length,
    failing: evidence.filter(({ cause }) => cause.blames === "version").length,
    evidence,
    crashed: pods.filter((pod) => inFlight !== null && hasFailed(pod, inFlight)).length,
    pods: pods
      .filter((pod) => isOfUpdate(pod) && pod.metadata.deletionTimestamp === undefined && !isReplaced(pod))
      .map((pod) => observePod(pod, isExcused(pod, now))),
  };
}

/** What is counted where no pod is, or may be, read. */
export const noPods: PodCounts = { excused: 0, failing: 0, crashed: 0, evidence: [], control: [], pods: [] };

/** Lists the pods that an object of a workload selects; none if the object is not of that workload, or selects all. */
async function listPodsOf(
  owner: ReturnType<typeof podOwner>,
  ref: WorkloadRef,
  api: KubernetesApi,
  withBaseline = false,
) {
  const object = await api.get<WithPods>(owner.resource, ref.namespace, owner.name);
  const selector = formatLabelSelector(object?.spec.selector);
  const isOwn = object !== null && selector !== "" && belongsTo(object, ref.uid);
  if (!isOwn) return { object: null, pods: [] };
  // The selector of a Deployment matches the pods of its canary and baseline too: they are not its own, but those of a baseline run its image.
  const isCanary = owner.name !== ref.name;
  const isOther = ({ metadata }: Pod) => [null, ...(withBaseline ? ["baseline"] : [])].includes(roleOf(metadata));
  const pods = await api.listPods(ref.namespace, selector);
  return { object, pods: isCanary ? pods : pods.filter(isOther) };
}

/** The pods of the update have this hash as a label, whatever admission has changed in them. null if it is not known. */
async function readUpdateHash(object: WithPods, resource: Resource, api: KubernetesApi): Promise<string | null> {
  return object.status?.updateRevision ?? (await readLatestHash(object, resource, api));
}

/** Returns the object that selects the pods: a canary is an object of its own, except in a StatefulSet. */
function podOwner(ref: WorkloadRef, resource: Resource, isCanary: boolean) {
  if (ref.kind === statefulCanary.kind)
    return { resource: statefulSet.resource, name: setNames({ metadata: ref })[isCanary ? "canary" : "stable"] };
  return { resource, name: isCanary && ref.kind === "Deployment" ? nameBeside(ref, "canary") : ref.name };
}

function belongsTo({ metadata: { uid, ownerReferences = [] } }: KubernetesObject, owner: string): boolean {
  return uid === owner || ownerReferences.some((one) => one.uid === owner);
}

/** An exit with code 0 is one too. */
function hasExited(pod: Pod): boolean {
  return observePod(pod, false).exits > 0;
}

/** A pod that was evicted, preempted or lost with its node stays as an object beside its successor. */
function isReplaced({ status }: Pod): boolean {
  return status?.phase === "Failed";
}

/** A pod that is deleted will be replaced. One that no kubelet has accepted has not started. */
function isFailing(pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || !isAccepted(pod)) return false;
  return !isReady(pod) || hasCrashed(pod);
}

/** The kubelet sets both when it accepts a pod. */
function isAccepted(pod: Pod): boolean {
  return pod.status?.startTime !== undefined || conditionOf(pod, "ContainersReady") !== undefined;
}

function hasFailed(pod: Pod, inFlight: InFlight): boolean {
  return !isReady(pod) && hasCrashed(pod) && isTarget(pod, inFlight);
}
