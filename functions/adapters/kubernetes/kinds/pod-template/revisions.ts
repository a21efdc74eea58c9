import type { LabelSelector } from "../../../../domain/text/label-selector.ts";
import type { Digests } from "../../../../domain/workload/digest/tracking.ts";
import { pinTemplate } from "../../../../domain/workload/release/pin-template.ts";
import type { Snapshot, TemplateSnapshot } from "../../../../domain/workload/release/release.ts";
import { Forbidden } from "../../../../ports/errors.ts";
import type { KubernetesApi } from "../../api.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import type { KubernetesObject, PodTemplate, Resource } from "../../objects.ts";
import { revisionLabel, templateLabel } from "../../pods/pod.ts";
import { primaryContainer } from "./container.ts";
import { controllerRevisions, listKeptTemplates } from "./kept-templates.ts";
import { allContainers, type BuiltInObject, hashRelease, withTemplate } from "./pod-template.ts";

interface Revision extends KubernetesObject {
  /** Of a ReplicaSet. */
  readonly spec?: { readonly template?: PodTemplate };
  /** Of a ControllerRevision. A ReplicaSet has it in an annotation. */
  readonly revision?: number;
  /** Of a ControllerRevision: a patch of the pod template. */
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
}

const replicaSets = { group: "apps", version: "v1", plural: "replicasets", kind: "ReplicaSet" };

const revisionAnnotation = "deployment.kubernetes.io/revision";

/** Where the controller of a kind keeps the pod templates that ran before; a CronJob has none. */
const revisionsOf: Readonly<Record<string, Resource>> = {
  Deployment: replicaSets,
  StatefulSet: controllerRevisions,
  DaemonSet: controllerRevisions,
};

export function hasRevisions({ kind }: Resource): boolean {
  return revisionsOf[kind] !== undefined;
}

interface OwnTemplate {
  /** Its controller gives a revision that runs again a higher number than all others. */
  readonly number: number;
  readonly template: PodTemplate;
}

interface RevisionTemplates {
  /** What the workload itself ran. */
  readonly own: readonly OwnTemplate[];
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
  const numbered = (one: Revision) => templatesOf(one).map((template) => ({ number: numberOf(one), template }));
  return { own: own.flatMap(numbered), beside: beside.flatMap(templatesOf) };
}

/** Returns the number of the latest revision of a workload; 0 if its controller keeps none. */
export async function readLatestRevision(object: BuiltInObject, target: Resource, api: KubernetesApi): Promise<number> {
  const { own } = await listRevisions(object, target, api);
  return Math.max(0, ...own.map(numberOf));
}

export interface RevisionHash {
  /** Its pods have it as a label. */
  readonly hash: string | null;
  readonly images: readonly string[];
}

/** Returns the hashes of all revisions of a workload, the latest first; none if its controller keeps none. */
export async function readHashes(
  object: BuiltInObject,
  target: Resource,
  api: KubernetesApi,
): Promise<readonly RevisionHash[]> {
  const { own } = await listRevisions(object, target, api);
  const label = target.kind === "Deployment" ? templateLabel : revisionLabel;
  return own
    .toSorted((one, other) => numberOf(other) - numberOf(one))
    .map((one) => ({
      hash: one.metadata.labels?.[label] ?? null,
      images: templatesOf(one).flatMap((template) =>
        allContainers(withTemplate(object, template)).map(({ image = "" }) => image),
      ),
    }));
}

/** Returns the hash of the latest revision of a workload; null if its controller keeps none. */
export async function readLatestHash(
  object: BuiltInObject,
  target: Resource,
  api: KubernetesApi,
): Promise<string | null> {
  return (await readHashes(object, target, api))[0]?.hash ?? null;
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

/** Reads the pod templates that a workload ran, newest first, with these pins. Those that Pawl keeps come last. */
export async function readSnapshots(
  object: BuiltInObject,
  target: Resource,
  api: KubernetesApi,
  pins: Digests = {},
): Promise<readonly Snapshot[]> {
  const revisions = await listRevisions(object, target, api);
  // A person who may list ReplicaSets only sees what these have.
  const kept = await listKeptTemplates(object, api).catch((error: unknown) => {
    if (error instanceof Forbidden) return [];
    throw error;
  });
  const own: readonly Revision[] = [...revisions.own, ...kept.filter((one) => isControlled(one, object, target))];
  const snapshots = own.flatMap((one) =>
    templatesOf(one).map((found): Snapshot => {
      const template = pinTemplate(withoutRevision(found), pins);
      const image = primaryContainer(withTemplate(object, found))?.image ?? null;
      return { revision: one.metadata.name, number: numberOf(one), hash: hashRelease(template), image, template };
    }),
  );
  return snapshots.toSorted((one, other) => other.number - one.number);
}

/** Removes what the controller adds to the copy in a revision. */
function withoutRevision({ metadata = {}, spec }: PodTemplate): TemplateSnapshot {
  const { [templateLabel]: _hash, ...labels } = metadata.labels ?? {};
  return { metadata: { ...metadata, labels }, spec };
}

async function listRevisions({ metadata, spec }: BuiltInObject, target: Resource, api: KubernetesApi) {
  const resource = revisionsOf[target.kind];
  const { selector } = spec as { readonly selector?: LabelSelector };
  if (resource === undefined || selector === undefined) return { own: [], beside: [] };
  const found = await api.listSelected<Revision>(resource, metadata.namespace, formatLabelSelector(selector));
  const isOwn = (one: Revision) => isControlled(one, { metadata }, target);
  return { own: found.filter(isOwn), beside: found.filter((one) => !isOwn(one)) };
}

function isControlled(revision: KubernetesObject, by: KubernetesObject, target: Resource): boolean {
  const { ownerReferences = [] } = revision.metadata;
  return ownerReferences.some(
    ({ apiVersion = "", kind, uid, controller }) =>
      uid === by.metadata.uid &&
      controller === true &&
      kind === target.kind &&
      apiVersion.startsWith(`${target.group}/`),
  );
}

function numberOf({ revision, metadata }: Revision): number {
  return revision ?? Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

function templatesOf({ spec, data }: Revision): readonly PodTemplate[] {
  const template = spec?.template ?? data?.spec?.template;
  return template === undefined ? [] : [template];
}
