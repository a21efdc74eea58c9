import type { Fields } from "./objects.ts";

/** The part of an object whose changes increase its `generation`; objects with "none" have no generation. */
export type GenerationScope = "none" | "spec" | "spec and annotations" | "content" | "content but status";

/** One kind of object that the server serves. */
export interface Resource {
  /** "" is the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  /** Defined by a CustomResourceDefinition: supports neither strategic merge patches nor unconditional PUT. */
  readonly custom: boolean;
  readonly generationScope: GenerationScope;
  /** The structural schema of a custom resource; only its defaults are used. */
  readonly schema?: Fields;
  /** The fields that a fieldSelector supports, in addition to metadata.name and metadata.namespace. */
  readonly fieldSelectors: readonly string[];
}

type BuiltInOptions = Partial<Omit<Resource, "group" | "version" | "plural" | "kind">>;

function builtIn(groupVersion: string, plural: string, kind: string, rest: BuiltInOptions = {}): Resource {
  const [version = "", group = ""] = groupVersion.split("/").toReversed();
  const common = { singular: kind.toLowerCase(), shortNames: [], namespaced: true, hasStatus: false, custom: false };
  return { ...common, group, version, plural, kind, generationScope: "none", fieldSelectors: [], ...rest };
}

const eventFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

export const namespaces = builtIn("v1", "namespaces", "Namespace", {
  namespaced: false,
  hasStatus: true,
  shortNames: ["ns"],
  fieldSelectors: ["status.phase"],
});
export const nodes = builtIn("v1", "nodes", "Node", {
  namespaced: false,
  hasStatus: true,
  shortNames: ["no"],
  fieldSelectors: ["spec.unschedulable"],
});
export const pods = builtIn("v1", "pods", "Pod", {
  hasStatus: true,
  shortNames: ["po"],
  fieldSelectors: ["spec.nodeName", "spec.restartPolicy", "status.phase", "status.podIP"],
});
export const deployments = builtIn("apps/v1", "deployments", "Deployment", {
  hasStatus: true,
  shortNames: ["deploy"],
  generationScope: "spec and annotations",
});
export const statefulSets = builtIn("apps/v1", "statefulsets", "StatefulSet", {
  hasStatus: true,
  shortNames: ["sts"],
  generationScope: "spec",
});
export const daemonSets = builtIn("apps/v1", "daemonsets", "DaemonSet", {
  hasStatus: true,
  shortNames: ["ds"],
  generationScope: "spec",
});
export const replicaSets = builtIn("apps/v1", "replicasets", "ReplicaSet", {
  hasStatus: true,
  shortNames: ["rs"],
  generationScope: "spec",
});
const cronJobs = builtIn("batch/v1", "cronjobs", "CronJob", {
  hasStatus: true,
  shortNames: ["cj"],
  generationScope: "spec",
});
export const jobs = builtIn("batch/v1", "jobs", "Job", { hasStatus: true, generationScope: "spec" });
export const podDisruptionBudgets = builtIn("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", {
  hasStatus: true,
  shortNames: ["pdb"],
  generationScope: "spec",
});
export const controllerRevisions = builtIn("apps/v1", "controllerrevisions", "ControllerRevision");
export const customResourceDefinitions = builtIn(
  "apiextensions.k8s.io/v1",
  "customresourcedefinitions",
  "CustomResourceDefinition",
  { namespaced: false, hasStatus: true, shortNames: ["crd", "crds"], generationScope: "spec" },
);

export const builtInResources: readonly Resource[] = [
  namespaces,
  nodes,
  pods,
  builtIn("v1", "configmaps", "ConfigMap", { shortNames: ["cm"] }),
  builtIn("v1", "secrets", "Secret", { fieldSelectors: ["type"] }),
  builtIn("v1", "serviceaccounts", "ServiceAccount", { shortNames: ["sa"] }),
  builtIn("v1", "persistentvolumeclaims", "PersistentVolumeClaim", { hasStatus: true, shortNames: ["pvc"] }),
  builtIn("v1", "events", "Event", {
    shortNames: ["ev"],
    fieldSelectors: [...eventFields.map((field) => `involvedObject.${field}`), "reason", "source", "type"],
  }),
  deployments,
  statefulSets,
  daemonSets,
  replicaSets,
  cronJobs,
  jobs,
  controllerRevisions,
  podDisruptionBudgets,
  builtIn("coordination.k8s.io/v1", "leases", "Lease"),
  builtIn("autoscaling/v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    hasStatus: true,
    shortNames: ["hpa"],
  }),
  customResourceDefinitions,
];

export function apiVersionOf({ group, version }: Pick<Resource, "group" | "version">): string {
  return group ? `${group}/${version}` : version;
}
