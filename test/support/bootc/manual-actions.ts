import { AppsV1Api, CustomObjectsApi, type KubeConfig, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { registerNode } from "../control-plane/kubelet/nodes.ts";
import { servedVersion } from "../served-version.ts";
import type { BootcApi } from "./api.ts";
import { bootc } from "./objects.ts";

type Labels = Readonly<Record<string, string>>;

/** The actions that people do with kubectl. */
export interface ManualActions {
  createNode(name: string, labels: Labels): Promise<void>;
  createPool(name: string, spec: object): Promise<void>;
  setImage(pool: string, ref: string): Promise<void>;
  setRollout(pool: string, rollout: object): Promise<void>;
  deletePool(pool: string): Promise<void>;
  /** null removes a label. */
  label(node: string, labels: Readonly<Record<string, string | null>>): Promise<void>;
  cordon(node: string, isCordoned: boolean): Promise<void>;
  /** A Deployment whose pods are bound to schedulable nodes of these labels. */
  deploy(name: string, replicas: number, nodeLabels: Labels): Promise<void>;
  scale(name: string, replicas: number): Promise<void>;
  daemonSet(name: string, nodeLabels: Labels): Promise<void>;
  /** A PodDisruptionBudget over the pods of a Deployment. */
  budget(name: string, minAvailable: number): Promise<void>;
}

/** Creates the actions. `onManualCordon` is called with the resourceVersion of every cordon and uncordon. */
export function createManualActions(
  kubeConfig: KubeConfig,
  api: BootcApi,
  namespace: string,
  onManualCordon: (revision: number) => void,
): ManualActions {
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const pods = (name: string, nodeSelector: Labels) => ({
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { nodeSelector: { ...nodeSelector }, containers: [{ name: "app", image: "shop/app:1.0.0" }] },
    },
  });
  return {
    createNode: (name, labels) => registerNode(api.core, name, labels),
    async createPool(name, spec) {
      const apiVersion = `${bootc.group}/${bootc.version}`;
      await api.create("bootcnodepools", { apiVersion, kind: "BootcNodePool", metadata: { name }, spec });
    },
    setImage: (pool, ref) => api.patch("bootcnodepools", pool, { spec: { image: { ref } } }),
    setRollout: (pool, rollout) => api.patch("bootcnodepools", pool, { spec: { rollout } }),
    deletePool: (pool) => api.remove("bootcnodepools", pool),
    async label(node, labels) {
      await api.patchNode(node, { metadata: { labels } });
    },
    async cordon(node, isCordoned) {
      const revision = await api.patchNode(node, { spec: { unschedulable: isCordoned ? true : null } });
      if (revision !== null) onManualCordon(revision);
    },
    async deploy(name, replicas, nodeLabels) {
      const body = { metadata: { name }, spec: { replicas, ...pods(name, nodeLabels) } };
      await apps.createNamespacedDeployment({ namespace, body });
    },
    async scale(name, replicas) {
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await apps.patchNamespacedDeploymentScale({ name, namespace, body: { spec: { replicas } } }, merge);
    },
    async daemonSet(name, nodeLabels) {
      await apps.createNamespacedDaemonSet({ namespace, body: { metadata: { name }, spec: pods(name, nodeLabels) } });
    },
    async budget(name, minAvailable) {
      const version = await servedVersion(kubeConfig, "policy", "poddisruptionbudgets");
      const spec = { minAvailable, selector: { matchLabels: { app: name } } };
      const body = { kind: "PodDisruptionBudget", metadata: { name }, spec };
      const at = { group: "policy", version, plural: "poddisruptionbudgets", namespace };
      await custom.createNamespacedCustomObject({ ...at, body });
    },
  };
}
