import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { formatLabelSelector } from "../../../functions/adapters/kubernetes/label-selector.ts";
import type { KubernetesObject } from "../../../functions/adapters/kubernetes/objects.ts";
import {
  evidenceOf,
  isReady,
  type Pod,
  revisionLabel,
  templateLabel,
} from "../../../functions/adapters/kubernetes/pods/pod.ts";
import { describeEvidence } from "../../../functions/domain/health/evidence.ts";
import type { LabelSelector } from "../../../functions/domain/text/label-selector.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { PodRow } from "../detail-model.ts";

interface Selecting extends KubernetesObject {
  readonly spec: { readonly selector?: LabelSelector };
}

const newest = 100;

/** Reads the pods of a built-in workload and of its canary, the youngest revision first; none if they may not be read. */
export async function readPods(kubeConfig: KubeConfig, ref: WorkloadRef): Promise<readonly PodRow[]> {
  const [group = "", version = ""] = ref.apiVersion.split("/");
  if (group !== "apps") return [];
  const api = createKubernetesApi(kubeConfig);
  const resource = { group, version, plural: `${ref.kind.toLowerCase()}s`, kind: ref.kind };
  try {
    const object = await api.get<Selecting>(resource, ref.namespace, ref.name);
    const selector = formatLabelSelector(object?.spec.selector);
    if (selector === "") return [];
    const pods = await api.listPods(ref.namespace, selector);
    const rows = pods.map(rowOf).toSorted((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? 1 : -1));
    return [...Map.groupBy(rows, ({ revision }) => revision).values()].flat().slice(0, newest);
  } catch (error) {
    // Only a part of the page, which is shown without it.
    if ((error as Error).name === "Forbidden") return [];
    throw error;
  }
}

function rowOf(pod: Pod): PodRow {
  const { metadata, spec, status } = pod;
  const { creationTimestamp: created, labels = {} } = metadata;
  const isUp = isReady(pod);
  return {
    pod: metadata.name,
    revision: labels[templateLabel] ?? labels[revisionLabel] ?? "",
    image: spec.containers[0]?.image ?? "",
    state: metadata.deletionTimestamp === undefined ? (isUp ? "Ready" : "Not ready") : "Terminating",
    // Without the name of the pod, which is beside it.
    cause: isUp ? null : (describeEvidence([evidenceOf(pod)])?.replace(/^1 pod (?:failing|waiting): \S+ /, "") ?? null),
    restarts: (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    createdAt: created === undefined ? null : formatRfc3339(new Date(created)),
    node: spec.nodeName ?? null,
  };
}
