import type { NodePool } from "../../../functions/domain/node-pool/types.ts";
import type { Doc } from "../kubernetes-api/raw-request.ts";
import { bootcNodesPath, nodesPath, type PoolBench, poolsPath, readPool, patch } from "./bench.ts";

export const digestA = `sha256:${"a".repeat(64)}`;
export const digestB = `sha256:${"b".repeat(64)}`;
export const imageA = `quay.io/example/myos@${digestA}`;
export const imageB = `quay.io/example/myos@${digestB}`;

export interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly object[];
}

export const poolSpec = {
  nodeSelector: { matchLabels: { "example.com/pool": "workers" } },
  image: { ref: "quay.io/example/myos:v2" },
};

export async function makePool(
  bench: PoolBench,
  name = "workers",
  spec: object = poolSpec,
  metadata: Metadata = {},
): Promise<NodePool> {
  const head = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool" };
  await bench.make(poolsPath, { ...head, metadata: { ...metadata, name: bench.named(name) }, spec });
  return readPool(bench, name);
}

/** A Node that is Ready, and is the business of no kubelet. */
export async function makeNode(
  bench: PoolBench,
  name = "w1",
  metadata: Metadata = {},
  spec: object = {},
): Promise<Doc> {
  const own = { ...metadata, name: bench.named(name) };
  const made = await bench.make(nodesPath, { apiVersion: "v1", kind: "Node", metadata: own, spec });
  // Every new Node is tainted as not ready, which keeps DaemonSets off it.
  await patch(bench, `${nodesPath}/${bench.named(name)}`, { spec: { taints: null } });
  await setReady(bench, name, "True");
  return made;
}

export async function setReady(bench: PoolBench, name: string, status: string): Promise<void> {
  const condition = { type: "Ready", status, reason: "Test", message: "" };
  const path = `${nodesPath}/${bench.named(name)}`;
  await patch(bench, `${path}/status`, { status: { conditions: [condition] } });
}

export async function makeBootcNode(
  bench: PoolBench,
  name = "w1",
  { spec = {}, status, metadata = {} }: { spec?: object; status?: object; metadata?: Metadata } = {},
): Promise<Doc> {
  const head = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNode" };
  const body = { ...head, metadata: { ...metadata, name: bench.named(name) }, spec: { desiredImage: imageA, ...spec } };
  const made = await bench.make(bootcNodesPath, body);
  if (status === undefined) return made;
  return patch(bench, `${bootcNodesPath}/${bench.named(name)}/status`, { status });
}

export function ownedBy({ name, uid }: NodePool) {
  return [{ apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", name, uid, controller: true }];
}
