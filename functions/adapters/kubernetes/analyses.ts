import { CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { parseTemplateReference } from "../../domain/analysis/template-reference.ts";
import type { Cluster } from "../../ports/cluster.ts";
import type { KubernetesApi } from "./api.ts";
import type { ClusterObject } from "./cluster-scoped.ts";
import type { KubernetesObject, Resource } from "./objects.ts";
import { createRequestOptions } from "./requests.ts";

const group = { group: "argoproj.io", version: "v1alpha1" };
const analysisTemplates: Resource = { ...group, plural: "analysistemplates", kind: "AnalysisTemplate" };
const clusterAnalysisTemplates: Resource = {
  ...group,
  plural: "clusteranalysistemplates",
  kind: "ClusterAnalysisTemplate",
};

interface WithSpec {
  readonly spec?: unknown;
}

/** Creates the function that reads ConfigMaps, and templates of Argo Rollouts as JSON, if their CustomResourceDefinitions exist. */
export function createAnalysisReader(
  kubeConfig: KubeConfig,
  api: Pick<KubernetesApi, "get" | "getConfigMap">,
): Cluster["readAnalysis"] {
  const readTemplate = async (namespace: string, name: string, isOfCluster: boolean) => {
    if (!isOfCluster) return api.get<KubernetesObject & WithSpec>(analysisTemplates, namespace, name);
    const { createClusterScopedApi } = await import("./cluster-scoped.ts");
    const scoped = createClusterScopedApi(kubeConfig.makeApiClient(CustomObjectsApi), createRequestOptions());
    return scoped.get<ClusterObject & WithSpec>(clusterAnalysisTemplates, name);
  };
  return async ({ ref: { namespace } }, name) => {
    const template = parseTemplateReference(name);
    if (template === null) return api.getConfigMap(namespace, name, "analysis.yaml");
    const found = await readTemplate(namespace, template.name, template.kind === "ClusterAnalysisTemplate");
    return found === null ? null : JSON.stringify({ kind: template.kind, spec: found.spec });
  };
}
