import { isDeepStrictEqual } from "node:util";
import { PatchStrategy } from "@kubernetes/client-node";
import { type Kind, type Objects, plurals, type PodTemplate, type Workload } from "./objects.ts";

interface ReplicaSet {
  readonly metadata: Workload["metadata"];
  readonly spec: { readonly template: PodTemplate };
}

interface ControllerRevision {
  readonly metadata: Workload["metadata"];
  /** A strategic merge patch of the workload, whose template says `$patch: replace`. */
  readonly data: { readonly spec: { readonly template: PodTemplate } };
  readonly revision: number;
}

const revisionAnnotation = "deployment.kubernetes.io/revision";
const hashLabel = "pod-template-hash";

/** `annotationsToSkip`: a Deployment keeps its own value of each, and has none of the ReplicaSet's. */
const keptAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  "deployment.kubernetes.io/revision-history",
  "deployment.kubernetes.io/desired-replicas",
  "deployment.kubernetes.io/max-replicas",
  "deprecated.deployment.rollback.to",
]);

/**
 * `kubectl rollout undo KIND/NAME`.
 * https://github.com/kubernetes/kubectl/blob/master/pkg/polymorphichelpers/rollback.go
 */
export async function rolloutUndo(objects: Objects, kind: Kind, name: string): Promise<void> {
  const workload = await objects.get<Workload>(plurals[kind], name);
  await (kind === "Deployment" ? undoDeployment : undoByRevision)(objects, workload);
}

/** `DeploymentRollbacker`: replaces the template and all annotations by those of the ReplicaSet with the second highest revision. */
async function undoDeployment(objects: Objects, { metadata, spec }: Workload): Promise<void> {
  if (spec.paused) throw new Error(`you cannot rollback a paused deployment; resume it first: ${metadata.name}`);
  const found = await objects.list<ReplicaSet>("replicasets", spec.selector.matchLabels);
  const owned = found.filter((one) => isControlledBy(one, metadata.uid));
  const [, previous] = owned.toSorted((one, other) => revisionOf(other) - revisionOf(one));
  if (previous === undefined) throw new Error(`no rollout history found for deployment "${metadata.name}"`);
  const template = withoutHash(previous.spec.template);
  if (isDeepStrictEqual(template, withoutHash(spec.template))) return;
  const annotations = {
    ...pick(metadata.annotations, (key) => keptAnnotations.has(key)),
    ...pick(previous.metadata.annotations, (key) => !keptAnnotations.has(key)),
  };
  await objects.patch("deployments", metadata.name, PatchStrategy.JsonPatch, [
    { op: "replace", path: "/spec/template", value: template },
    { op: "replace", path: "/metadata/annotations", value: annotations },
  ]);
}

/** `StatefulSetRollbacker` and `DaemonSetRollbacker`: apply the data of the last but one ControllerRevision as a patch. */
async function undoByRevision(objects: Objects, { kind, metadata, spec }: Workload): Promise<void> {
  const found = await objects.list<ControllerRevision>("controllerrevisions", spec.selector.matchLabels);
  const owned = found.filter((one) => isControlledBy(one, metadata.uid));
  const previous = owned.toSorted((one, other) => one.revision - other.revision).at(-2);
  if (previous === undefined) throw new Error("no last revision to roll back to");
  await objects.patch(plurals[kind], metadata.name, PatchStrategy.StrategicMergePatch, previous.data);
}

function isControlledBy({ metadata }: Pick<ReplicaSet, "metadata">, uid: string | undefined): boolean {
  return metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) ?? false;
}

function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

function withoutHash(template: PodTemplate): PodTemplate {
  return {
    ...template,
    metadata: { ...template.metadata, labels: pick(template.metadata.labels, (key) => key !== hashLabel) },
  };
}

function pick(from: Readonly<Record<string, string>> = {}, includes: (key: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => includes(key)));
}
