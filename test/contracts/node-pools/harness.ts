import { randomUUID } from "node:crypto";
import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesNodePools } from "../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { NodePools, NodeWrite } from "../../../functions/ports/node-pools.ts";
import { rawRequest, type Doc, type RawResponse, type RawRequest } from "../kubernetes-api/raw-request.ts";

/** The port under test, and direct requests to its server. `close` deletes every created object. */
export interface PoolHarness {
  readonly kubeConfig: KubeConfig;
  readonly pools: NodePools;
  /** The namespace of the pods. */
  readonly namespace: string;
  /** The current time of the adapter. */
  now: Date;
  /** Returns a name that no other harness uses. */
  uniqueName(name: string): string;
  request(method: string, path: string, request?: RawRequest): Promise<RawResponse>;
  /** Creates an object in a collection. Throws if the server rejects it. */
  create(collection: string, body: object): Promise<Doc>;
  close(): Promise<void>;
}

export type GetHarness = () => PoolHarness;

export const noon = new Date("2026-11-20T12:00:00Z");
export const poolsPath = "/apis/node.bootc.dev/v1alpha1/bootcnodepools";
export const bootcNodesPath = "/apis/node.bootc.dev/v1alpha1/bootcnodes";
export const nodesPath = "/api/v1/nodes";

export async function openHarness(kubeConfig: KubeConfig): Promise<PoolHarness> {
  const id = `pools-${randomUUID().slice(0, 8)}`;
  const created: string[] = [];
  const request = (method: string, path: string, options: RawRequest = {}) =>
    rawRequest(kubeConfig, method, path, options);
  const harness: PoolHarness = {
    kubeConfig,
    pools: createKubernetesNodePools({ kubeConfig, readsPullSecrets: true, now: () => harness.now }),
    namespace: id,
    now: noon,
    uniqueName: (name) => `${id}-${name}`,
    request,
    async create(collection, body) {
      const answer = await request("POST", collection, { body });
      if (answer.code !== 201) throw new Error(`${answer.code} ${answer.text}`);
      created.push(`${collection}/${answer.body.metadata?.name}`);
      return answer.body;
    },
    async close() {
      for (const path of created.toReversed()) {
        await patch(harness, path, { metadata: { finalizers: null } });
        await request("DELETE", path);
      }
    },
  };
  await harness.create("/api/v1/namespaces", { metadata: { name: id } });
  return harness;
}

/** Applies a merge patch as another client; a missing object stays missing. */
export async function patch(harness: PoolHarness, path: string, body: object): Promise<Doc> {
  const contentType = "application/merge-patch+json";
  const answer = await harness.request("PATCH", path, { body, contentType });
  if (answer.code !== 200 && answer.code !== 404) throw new Error(`${answer.code} ${answer.text}`);
  return answer.body;
}

/** Returns the stored object; null if it was deleted. */
export async function getObject(harness: PoolHarness, path: string): Promise<Doc | null> {
  const { code, body } = await harness.request("GET", path);
  return code === 404 ? null : body;
}

export async function readPool(harness: PoolHarness, name: string): Promise<NodePool> {
  const pool = (await harness.pools.list()).find((one) => one.name === harness.uniqueName(name));
  if (pool === undefined) throw new Error(`no pool ${name}`);
  return pool;
}

export async function readNode(harness: PoolHarness, name: string): Promise<PoolNode> {
  const node = (await harness.pools.listNodes("full")).find((one) => one.name === harness.uniqueName(name));
  return node ?? { name: harness.uniqueName(name), node: null, bootcNode: null };
}

const maxAttempts = 20;

/** Reads and writes like a step, and retries on a conflict. */
export async function write(harness: PoolHarness, pool: NodePool, node: string, step: NodeWrite): Promise<PoolNode> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await harness.pools.write(pool, await readNode(harness, node), step);
    } catch (error) {
      if (attempt === maxAttempts || (error as Error).name !== "Conflict") throw error;
    }
  }
}
