import { createHash } from "node:crypto";
import { isFields, type Draft, type Fields, type KubeObject, type OwnerReference } from "../objects.ts";

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Fields;
}

/** A Deployment, StatefulSet or DaemonSet with the defaults filled in. */
export interface WorkloadObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly template: PodTemplate;
    readonly [field: string]: unknown;
  };
  readonly status?: Fields;
}

/** What one pass of a controller wants done: it looks again as soon as that has changed something. */
export interface Plan {
  readonly status: Fields;
  readonly remove: readonly KubeObject[];
  readonly create: readonly Draft[];
}

export const revisionLabel = "controller-revision-hash";

/** The same for templates that say the same, in whatever order their fields were sent. */
export function templateHash(template: PodTemplate): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(template)))
    .digest("hex")
    .slice(0, 10);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}

export function ownerReferenceTo({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true };
}

/** A pod of the template, owned by the workload and labelled with the revision that it was made from. */
export function podOf(
  owner: KubeObject,
  template: PodTemplate,
  revision: string,
  name: string,
  spec: Fields = {},
): Draft {
  const { labels, annotations } = template.metadata ?? {};
  return {
    metadata: {
      name,
      labels: { ...labels, [revisionLabel]: revision },
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
  return pod.metadata.labels?.[revisionLabel] ?? "";
}

/** Kubernetes leaves out the numbers of a status that are zero, but for a few that it always writes. */
export function withoutZeros(numbers: Readonly<Record<string, number>>): Fields {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0));
}

/** An absolute number, or a percentage of the replicas. */
export function share(value: unknown, replicas: number, round: (number: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? 0 : round((Number(percent) * replicas) / 100);
}
