import { randomUUID } from "node:crypto";
import {
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesListObject,
  type V1Node,
  type V1NodeCondition,
} from "@kubernetes/client-node";
import { createRequestOptions } from "../../../functions/adapters/kubernetes/requests.ts";
import { bootc, type BootcNodeObject, type BootcNodePoolObject, type BootcNodeStatus } from "./objects.ts";

type Plural = "bootcnodes" | "bootcnodepools";

/** The API requests of node pool tests. A missing object is null, and a write to it does nothing. */
export interface BootcApi {
  readonly core: CoreV1Api;
  node(name: string): Promise<V1Node | null>;
  /** Applies a merge patch and returns the new resourceVersion; null if there is no such Node. */
  patchNode(name: string, body: object): Promise<number | null>;
  setReady(name: string, isReady: boolean, now?: Date): Promise<void>;
  bootcNode(name: string): Promise<BootcNodeObject | null>;
  bootcNodes(): Promise<readonly BootcNodeObject[]>;
  saveStatus(name: string, status: BootcNodeStatus): Promise<void>;
  pool(name: string): Promise<BootcNodePoolObject | null>;
  create(plural: Plural, body: object): Promise<void>;
  patch(plural: Plural, name: string, body: object): Promise<void>;
  remove(plural: Plural, name: string): Promise<void>;
}

export function bootcApi(kubeConfig: KubeConfig): BootcApi {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const options = createRequestOptions();
  const merge = () => options({ "Content-Type": "application/merge-patch+json" });
  const at = (plural: Plural, name: string) => ({ ...bootc, plural, name });
  const read = <T>(plural: Plural, name: string) =>
    nullIfNotFound<T>(() => objects.getClusterCustomObject(at(plural, name), options()));
  return {
    core,
    node: (name) => nullIfNotFound(() => core.readNode({ name }, options())),
    async patchNode(name, body) {
      const patched = await nullIfNotFound(() => core.patchNode({ name, body }, merge()));
      return patched === null ? null : Number(patched.metadata?.resourceVersion);
    },
    async setReady(name, isReady, now = new Date()) {
      const nodeInfo = { bootID: randomUUID() };
      const body = { status: { conditions: [readyCondition(isReady, now)], ...(isReady && { nodeInfo }) } };
      await nullIfNotFound(() => core.patchNodeStatus({ name, body }, merge()));
    },
    bootcNode: (name) => read("bootcnodes", name),
    async bootcNodes() {
      const request = { ...bootc, plural: "bootcnodes" };
      const list = (await objects.listClusterCustomObject(request, options())) as KubernetesListObject<BootcNodeObject>;
      return list.items;
    },
    async saveStatus(name, status) {
      await nullIfNotFound(() =>
        objects.patchClusterCustomObjectStatus({ ...at("bootcnodes", name), body: { status } }, merge()),
      );
    },
    pool: (name) => read("bootcnodepools", name),
    async create(plural, body) {
      await objects.createClusterCustomObject({ ...bootc, plural, body }, options());
    },
    async patch(plural, name, body) {
      await nullIfNotFound(() => objects.patchClusterCustomObject({ ...at(plural, name), body }, merge()));
    },
    async remove(plural, name) {
      await nullIfNotFound(() => objects.deleteClusterCustomObject(at(plural, name), options()));
    },
  };
}

/** Returns the condition Ready as a kubelet writes it. */
function readyCondition(isReady: boolean, now: Date): V1NodeCondition {
  return {
    type: "Ready",
    status: isReady ? "True" : "False",
    reason: isReady ? "KubeletReady" : "KubeletNotReady",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
}

async function nullIfNotFound<T>(request: () => Promise<T>): Promise<T | null> {
  return request().catch((error: { code?: number }) => {
    if (error.code === 404) return null;
    throw error;
  });
}
