import { randomUUID } from "node:crypto";
import type { KubeConfig } from "@kubernetes/client-node";
import { kubernetesNodePools } from "../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePool, PoolNode } from "../../../functions/domain/node-pool/types.ts";
import type { NodePools, NodeWrite } from "../../../functions/ports/node-pools.ts";
import { rawRequest, type Doc, type RawAnswer, type RawRequest } from "../kubernetes-api/raw-request.ts";

/** A server that knows both kinds, and which version of PodDisruptionBudgets it serves. */
export interface PoolLab {
  readonly kubeConfig: KubeConfig;
  readonly budgets: "policy/v1" | "policy/v1beta1";
}

/** The port under test, and the server past it. What is made with a name is taken away again at the end. */
export interface PoolBench extends PoolLab {
  readonly pools: NodePools;
  /** Of the pods. */
  readonly namespace: string;
  /** What the adapter takes for the time. */
  now: Date;
  /** The whole name, which no other bench uses. */
  named(name: string): string;
  request(method: string, path: string, request?: RawRequest): Promise<RawAnswer>;
  /** Makes an object in a collection, and throws where the server refuses it. */
  make(collection: string, body: object): Promise<Doc>;
  close(): Promise<void>;
}

export type At = () => PoolBench;

export const noon = new Date("2026-11-20T12:00:00Z");
export const poolsPath = "/apis/node.bootc.dev/v1alpha1/bootcnodepools";
export const bootcNodesPath = "/apis/node.bootc.dev/v1alpha1/bootcnodes";
export const nodesPath = "/api/v1/nodes";

export async function openBench(lab: PoolLab): Promise<PoolBench> {
  const id = `pools-${randomUUID().slice(0, 8)}`;
  const made: string[] = [];
  const request = (method: string, path: string, options: RawRequest = {}) =>
    rawRequest(lab.kubeConfig, method, path, options);
  const bench: PoolBench = {
    ...lab,
    pools: kubernetesNodePools({ kubeConfig: lab.kubeConfig, readsPullSecrets: true, now: () => bench.now }),
    namespace: id,
    now: noon,
    named: (name) => `${id}-${name}`,
    request,
    async make(collection, body) {
      const answer = await request("POST", collection, { body });
      if (answer.code !== 201) throw new Error(`${answer.code} ${answer.text}`);
      made.push(`${collection}/${answer.body.metadata?.name}`);
      return answer.body;
    },
    async close() {
      for (const path of made.toReversed()) {
        await patch(bench, path, { metadata: { finalizers: null } });
        await request("DELETE", path);
      }
    },
  };
  await bench.make("/api/v1/namespaces", { metadata: { name: id } });
  return bench;
}

/** What somebody else writes, as a merge patch; what is gone stays gone. */
export async function patch(bench: PoolBench, path: string, body: object): Promise<Doc> {
  const contentType = "application/merge-patch+json";
  const answer = await bench.request("PATCH", path, { body, contentType });
  if (answer.code !== 200 && answer.code !== 404) throw new Error(`${answer.code} ${answer.text}`);
  return answer.body;
}

/** The object as the server has it; null where it is gone. */
export async function look(bench: PoolBench, path: string): Promise<Doc | null> {
  const { code, body } = await bench.request("GET", path);
  return code === 404 ? null : body;
}

export async function readPool(bench: PoolBench, name: string): Promise<NodePool> {
  const pool = (await bench.pools.list()).find((one) => one.name === bench.named(name));
  if (pool === undefined) throw new Error(`no pool ${name}`);
  return pool;
}

export async function readNode(bench: PoolBench, name: string): Promise<PoolNode> {
  const node = (await bench.pools.nodes("whole")).find((one) => one.name === bench.named(name));
  return node ?? { name: bench.named(name), node: null, bootcNode: null };
}

const mostAttempts = 20;

/** As every step does it: reads and writes, and does so again where somebody wrote in between. */
export async function write(bench: PoolBench, pool: NodePool, node: string, step: NodeWrite): Promise<PoolNode> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await bench.pools.write(pool, await readNode(bench, node), step);
    } catch (error) {
      if (attempt === mostAttempts || (error as Error).name !== "Conflict") throw error;
    }
  }
}
