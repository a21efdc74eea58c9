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

interface RevisionTemplates {
  /** What the workload itself ran. */
  readonly own: readonly PodTemplate[];
  /** Of other owners with the same labels: a canary. */
  readonly beside: readonly PodTemplate[];
}

/** Lists the pod templates that a workload ran, as its controller keeps them for `kubectl rollout undo`. */
export async function listRevisionTemplates(
  { metadata, spec }: BuiltInObject,
  target: Resource,
  api: KubernetesApi,
): Promise<RevisionTemplates> {
  const { own, beside } = await listRevisions({ metadata, spec }, target, api);
  return { own: own.flatMap(templatesOf), beside: beside.flatMap(templatesOf) };
}

/** Reads the pod template of one revision of a workload; null if its controller does not keep it any more. */
export async function readRevisionTemplate(
  object: BuiltInObject,
  revision: string,
  target: Resource,
  api: KubernetesApi,
): Promise<PodTemplate | null> {
  const { own } = await listRevisions(object, target, api);
  return own.filter(({ metadata: { name } }) => name === revision).flatMap(templatesOf)[0] ?? null;
}

async function listRevisions({ metadata, spec }: BuiltInObject, target: Resource, api: KubernetesApi) {
  const resource = revisionsOf[target.kind];
  const { selector } = spec as { readonly selector?: LabelSelector };
  if (resource === undefined || selector === undefined) return { own: [], beside: [] };
  const found = await api.listSelected<Revision>(resource, metadata.namespace, formatLabelSelector(selector));
  const isOwn = ({ metadata: { ownerReferences = [] } }: Revision) =>
    ownerReferences.some(({ uid }) => uid === metadata.uid);
  return { own: found.filter(isOwn), beside: found.filter((one) => !isOwn(one)) };
}

function templatesOf({ spec, data }: Revision): readonly PodTemplate[] {
  const template = spec?.template ?? data?.spec?.template;
  return template === undefined ? [] : [template];
}
