import { type LabelSelector, matchesSelector } from "../../../../functions/domain/text/label-selector.ts";
import { isFields, type Fields, type KubeObject } from "../objects.ts";
import { controllerRevisions, replicaSets, statefulSets, type Resource } from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { create } from "../verbs/create.ts";
import { deleteObject } from "../verbs/delete.ts";
import { patch } from "../verbs/update.ts";
import {
  deploymentHashLabel,
  ownerReferenceTo,
  revisionOf,
  templateHash,
  type PodTemplate,
  type WorkloadObject,
} from "./workload.ts";

const revisionAnnotation = "deployment.kubernetes.io/revision";

/** The pod templates by revision; older ones are needed for ordinals below the partition. */
export interface Revisions {
  readonly update: string;
  templateOf(revision: string): PodTemplate;
}

/** Returns the ReplicaSets of a Deployment. */
export function replicaSetsOf(api: Api, deployment: KubeObject): readonly KubeObject[] {
  return ownedBy(api, replicaSets, deployment);
}

/** Returns the ReplicaSet of the current template, which has the highest revision of all: creates or renumbers it if needed. */
export function ensureReplicaSet(api: Api, deployment: WorkloadObject): WorkloadObject {
  const { namespace = "", name } = deployment.metadata;
  const { template } = deployment.spec;
  const hash = templateHash(template);
  const all = replicaSetsOf(api, deployment);
  const found = all.find(({ metadata }) => metadata.name === `${name}-${hash}`);
  const latest = Math.max(0, ...all.filter((one) => one !== found).map(numberOf));
  if (found !== undefined && numberOf(found) > latest) return found as WorkloadObject;
  const annotations = { [revisionAnnotation]: String(latest + 1) };
  if (found !== undefined)
    return patch(api, refOf(replicaSets, found), "object", { metadata: { annotations } }, mergePatch) as WorkloadObject;
  const labels = { ...template.metadata?.labels, [deploymentHashLabel]: hash };
  const selector = { matchLabels: labels };
  return create(api, replicaSets, namespace, {
    metadata: { name: `${name}-${hash}`, labels, annotations, ownerReferences: [ownerReferenceTo(deployment)] },
    spec: { replicas: 0, selector, template: { ...template, metadata: { ...template.metadata, labels } } },
  }) as WorkloadObject;
}

const mergePatch = "application/merge-patch+json";

/** Writes how many pods each ReplicaSet has, and deletes the oldest of those that have none, as its Deployment's limit says. */
export function updateReplicaSets(api: Api, deployment: WorkloadObject, pods: readonly KubeObject[]): void {
  const current = templateHash(deployment.spec.template);
  const all = replicaSetsOf(api, deployment);
  const count = ({ metadata }: KubeObject) =>
    pods.filter((pod) => `${deployment.metadata.name}-${revisionOf(pod)}` === metadata.name).length;
  for (const one of all) {
    const replicas = count(one);
    patch(api, refOf(replicaSets, one), "object", { spec: { replicas } }, mergePatch);
    patch(api, refOf(replicaSets, one), "status", { status: { replicas } }, mergePatch);
  }
  const old = all.filter((one) => one.metadata.name !== `${deployment.metadata.name}-${current}` && count(one) === 0);
  prune(api, replicaSets, deployment, old);
}

/** Creates or renumbers the ControllerRevision of the current template if needed, and returns access to all revisions. */
export function ensureRevisions(api: Api, resource: Resource, set: WorkloadObject): Revisions {
  const { namespace = "", name } = set.metadata;
  const { template } = set.spec;
  const hash = templateHash(template);
  const update = `${name}-${hash}`;
  const all = ownedBy(api, controllerRevisions, set);
  const found = all.find(({ metadata }) => metadata.name === update);
  const revision = Math.max(0, ...all.filter((one) => one !== found).map(numberOf)) + 1;
  const hashLabel = resource === statefulSets ? "controller.kubernetes.io/hash" : "controller-revision-hash";
  if (found === undefined)
    create(api, controllerRevisions, namespace, {
      metadata: {
        name: update,
        labels: { ...template.metadata?.labels, [hashLabel]: hash },
        ownerReferences: [ownerReferenceTo(set)],
      },
      data: { spec: { template: { ...template, $patch: "replace" } } },
      revision,
    });
  else if (numberOf(found) < revision)
    patch(api, refOf(controllerRevisions, found), "object", { revision }, mergePatch);
  return {
    update,
    templateOf(wanted) {
      const stored = api.store.get(controllerRevisions, namespace, wanted);
      const { spec } = (stored?.["data"] ?? {}) as { readonly spec?: { readonly template?: Fields } };
      const { $patch: _, ...stripped } = spec?.template ?? { ...template, $patch: "" };
      return stripped as unknown as PodTemplate;
    },
  };
}

/** Deletes the oldest ControllerRevisions that no pod has, as the limit of their set says. */
export function pruneRevisions(api: Api, set: WorkloadObject, pods: readonly KubeObject[]): void {
  const hash = templateHash(set.spec.template);
  const name = ({ metadata }: KubeObject) => metadata.name.slice(set.metadata.name.length + 1);
  const status = isFields(set.status) ? set.status : {};
  const live = new Set([hash, ...pods.map(revisionOf), status["currentRevision"], status["updateRevision"]]);
  const old = ownedBy(api, controllerRevisions, set).filter(
    (one) => !live.has(name(one)) && !live.has(one.metadata.name),
  );
  prune(api, controllerRevisions, set, old);
}

function prune(api: Api, resource: Resource, { spec }: WorkloadObject, old: readonly KubeObject[]): void {
  const limit = Number(spec["revisionHistoryLimit"] ?? 10);
  const oldest = old.toSorted((one, other) => numberOf(one) - numberOf(other));
  for (const one of oldest.slice(0, Math.max(0, old.length - limit))) deleteObject(api, refOf(resource, one), {});
}

function numberOf({ metadata, ...object }: KubeObject): number {
  return Number(object["revision"] ?? metadata.annotations?.[revisionAnnotation] ?? 0);
}

/** As the real controllers, which list by the selector. Pawl owns copies of templates without these labels. */
function ownedBy(api: Api, resource: Resource, owner: KubeObject): readonly KubeObject[] {
  const { selector = {} } = owner["spec"] as { readonly selector?: LabelSelector };
  const owned = api.store.listOwned(resource, [owner.metadata.uid]);
  return owned.filter(({ metadata }) => matchesSelector(selector, metadata.labels ?? {}));
}
