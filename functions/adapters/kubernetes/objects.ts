/** The parts of Kubernetes objects that Pawl reads, as their JSON has them (times are RFC3339 text). */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly uid: string }[];
}

export interface KubernetesObject {
  readonly metadata: ObjectMeta;
}

export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image?: string }[] };
}

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

export interface ListPage<T> {
  /** null where an empty list is asked for as metadata. */
  readonly items: readonly T[] | null;
  readonly metadata?: { readonly continue?: string };
}

export function apiVersionOf({ group, version }: Resource): string {
  return `${group}/${version}`;
}

/** The parts of a resource's path. */
export function pathOf({ group, version, plural }: Resource) {
  return { group, version, plural };
}
