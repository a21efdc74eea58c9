import type { Fields } from "./objects.ts";

/** What decides that an object's `generation` rises; without one it has no generation at all. */
export type GenerationOf = "none" | "spec" | "spec and annotations" | "content" | "content but status";

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
  /** Defined by a CustomResourceDefinition: no strategic merge, no unconditional PUT. */
  readonly custom: boolean;
  readonly generationOf: GenerationOf;
  /** Of a custom kind: its structural schema, of which only the defaults count. */
  readonly schema?: Fields;
  /** Fields that a fieldSelector may name, besides metadata.name and metadata.namespace. */
  readonly selectable: readonly string[];
}

type Rest = Partial<Omit<Resource, "group" | "version" | "plural" | "kind">>;

function builtIn(groupVersion: string, plural: string, kind: string, rest: Rest = {}): Resource {
  const [version = "", group = ""] = groupVersion.split("/").toReversed();
  const common = { singular: kind.toLowerCase(), shortNames: [], namespaced: true, hasStatus: false, custom: false };
  return { ...common, group, version, plural, kind, generationOf: "none", selectable: [], ...rest };
}

const eventFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

export const namespaces = builtIn("v1", "namespaces", "Namespace", {
  namespaced: false,
  hasStatus: true,
  shortNames: ["ns"],
  selectable: ["status.phase"],
});
export const nodes = builtIn("v1", "nodes", "Node", {
  namespaced: false,
  hasStatus: true,
  shortNames: ["no"],
  selectable: ["spec.unschedulable"],
});
export const pods = builtIn("v1", "pods", "Pod", {
  hasStatus: true,
  shortNames: ["po"],
  selectable: ["spec.nodeName", "spec.restartPolicy", "status.phase", "status.podIP"],
});
export const deployments = builtIn("apps/v1", "deployments", "Deployment", {
  hasStatus: true,
  shortNames: ["deploy"],
  generationOf: "spec and annotations",
});
export const statefulSets = builtIn("apps/v1", "statefulsets", "StatefulSet", {
  hasStatus: true,
  shortNames: ["sts"],
  generationOf: "spec",
});
export const daemonSets = builtIn("apps/v1", "daemonsets", "DaemonSet", {
  hasStatus: true,
  shortNames: ["ds"],
  generationOf: "spec",
});
const cronJobs = builtIn("batch/v1", "cronjobs", "CronJob", {
  hasStatus: true,
  shortNames: ["cj"],
  generationOf: "spec",
});
export const podDisruptionBudgets = builtIn("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", {
  hasStatus: true,
  shortNames: ["pdb"],
  generationOf: "spec",
});
export const controllerRevisions = builtIn("apps/v1", "controllerrevisions", "ControllerRevision");
export const customResourceDefinitions = builtIn(
  "apiextensions.k8s.io/v1",
  "customresourcedefinitions",
  "CustomResourceDefinition",
  { namespaced: false, hasStatus: true, shortNames: ["crd", "crds"], generationOf: "spec" },
);

export const builtInResources: readonly Resource[] = [
  namespaces,
  nodes,
  pods,
  builtIn("v1", "configmaps", "ConfigMap", { shortNames: ["cm"] }),
  builtIn("v1", "secrets", "Secret", { selectable: ["type"] }),
  builtIn("v1", "serviceaccounts", "ServiceAccount", { shortNames: ["sa"] }),
  builtIn("v1", "events", "Event", {
    shortNames: ["ev"],
    selectable: [...eventFields.map((field) => `involvedObject.${field}`), "reason", "source", "type"],
  }),
  deployments,
  statefulSets,
  daemonSets,
  cronJobs,
  controllerRevisions,
  podDisruptionBudgets,
  builtIn("coordination.k8s.io/v1", "leases", "Lease"),
  customResourceDefinitions,
];

export function apiVersionOf({ group, version }: Pick<Resource, "group" | "version">): string {
  return group ? `${group}/${version}` : version;
}
