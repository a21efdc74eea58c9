import { createHash } from "node:crypto";
import { encodeHash } from "../encode-name.ts";
import { isFields, type KubeObjectInput, type Fields, type KubeObject, type OwnerReference } from "../objects.ts";

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Fields;
}

/** A Deployment, StatefulSet or DaemonSet with defaults applied. */
export interface WorkloadObject extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly template: PodTemplate; readonly [field: string]: unknown };
  readonly status?: Fields;
}

/** The result of one pass of a controller; it runs again after its changes. */
export interface Plan {
  readonly status: Fields;
  readonly remove: readonly KubeObject[];
  readonly create: readonly KubeObjectInput[];
}

const revisionLabel = "controller-revision-hash";
export const deploymentHashLabel = "pod-template-hash";

/** Returns a hash of a template that does not depend on the order of its fields. */
export function templateHash(template: PodTemplate): string {
  const hash = createHash("sha256")
    .update(JSON.stringify(sortKeys(template)))
    .digest();
  return encodeHash(hash.readUInt32BE());
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sortKeys(value[key])]),
  );
}

export function ownerReferenceTo({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Returns a pod from a template, with the workload as owner and the revision as label. The template of a ReplicaSet has the label. */
export function podFromTemplate(
  owner: KubeObject,
  template: PodTemplate,
  revision: string,
  name: string,
  spec: Fields = {},
): KubeObjectInput {
  const { labels, annotations } = template.metadata ?? {};
  return {
    metadata: {
      name,
      labels: owner.kind === "ReplicaSet" ? { ...labels } : { ...labels, [revisionLabel]: revision },
      ...(annotations && { annotations }),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    spec: { ...template.spec, ...spec },
  };
}

export function isReady(pod: KubeObject): boolean {
  const status = pod["status"];
  if (!isFields(status) || !Array.isArray(status["conditions"])) return false;
  return (status["conditions"] as Fields[]).some(({ type, status: value }) => type === "Ready" && value === "True");
}

export function revisionOf(pod: KubeObject): string {
  const { labels = {} } = pod.metadata;
  return labels[revisionLabel] ?? labels[deploymentHashLabel] ?? "";
}

/** Removes zeros: Kubernetes omits most numbers of a status if they are zero. */
export function omitZeros(numbers: Readonly<Record<string, number>>): Fields {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0));
}

/** Returns an absolute number, or a percentage of the replicas, like GetScaledValueFromIntOrPercent. */
export function resolveScaledValue(value: unknown, replicas: number, round: (number: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : round((Number(percent) * replicas) / 100);
}
