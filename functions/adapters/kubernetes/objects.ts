/** The parts of Kubernetes objects that Pawl reads, as their JSON has them (times are RFC3339 text). */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly uid: string;
    readonly controller?: boolean;
  }[];
}

export interface KubernetesObject {
  readonly metadata: ObjectMeta;
}

/** The part of an object that identifies it, whatever its kind. */
export interface Identified {
  readonly metadata: { readonly uid: string };
}

interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: {
    readonly nodeSelectorTerms: readonly {
      readonly matchExpressions?: readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[];
      }[];
    }[];
  };
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly imagePullSecrets?: readonly { readonly name?: string }[];
    readonly serviceAccountName?: string;
    readonly os?: { readonly name: string };
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly affinity?: { readonly nodeAffinity?: NodeAffinity };
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[];
  };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
}

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

/** What a list returns of each object. */
export type ListScope = "metadata" | "full";

export interface ListPage<T> {
  /** null for an empty list of metadata. */
  readonly items: readonly T[] | null;
  readonly metadata?: { readonly continue?: string };
}

export function apiVersionOf({ group, version }: Resource): string {
  return `${group}/${version}`;
}

/** Returns the parameters of a resource's path. */
export function pathOf({ group, version, plural }: Resource) {
  return { group, version, plural };
}
