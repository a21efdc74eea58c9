import type { LabelSelector } from "../../../domain/text/label-selector.ts";
import type { KubernetesApi } from "../api.ts";
import { formatLabelSelector } from "../label-selector.ts";
import type { KubernetesObject, PodTemplate, Resource } from "../objects.ts";
import type { BuiltInObject } from "./pod-template.ts";

interface Revision extends KubernetesObject {
  /** Of a ReplicaSet. */
  readonly spec?: { readonly template?: PodTemplate };
  /** Of a ControllerRevision: a patch of the pod template. */
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
}

const replicaSets = { group: "apps", version: "v1", plural: "replicasets", kind: "ReplicaSet" };
const controllerRevisions = { ...replicaSets, plural: "controllerrevisions", kind: "ControllerRevision" };

/** Where the controller of a kind keeps the pod templates that ran before; a CronJob has none. */
const revisionsOf: Readonly<Record<string, Resource>> = {
  Deployment: replicaSets,
  StatefulSet: controllerRevisions,
  DaemonSet: controllerRevisions,
};

/** Lists the pod templates that a workload ran, as its controller keeps them for `kubectl rollout undo`. */
export async function listRevisionTemplates(
  { metadata, spec }: BuiltInObject,
  target: Resource,
  api: KubernetesApi,
): Promise<readonly PodTemplate[]> {
  const resource = revisionsOf[target.kind];
  const { selector } = spec as { readonly selector?: LabelSelector };
  if (resource === undefined || selector === undefined) return [];
  const found = await api.listSelected<Revision>(resource, metadata.namespace, formatLabelSelector(selector));
  return found.flatMap(({ metadata: { ownerReferences = [] }, spec: own, data }) => {
    const template = own?.template ?? data?.spec?.template;
    return template !== undefined && ownerReferences.some(({ uid }) => uid === metadata.uid) ? [template] : [];
  });
}
