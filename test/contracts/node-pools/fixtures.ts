import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { Doc } from "../kubernetes-api/raw-request.ts";
import { bootcNodesPath, nodesPath, type PoolHarness, poolsPath, readPool, patch } from "./harness.ts";

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

export async function createPool(
  harness: PoolHarness,
  name = "workers",
  spec: object = poolSpec,
  metadata: Metadata = {},
): Promise<NodePool> {
  const head = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool" };
  await harness.create(poolsPath, { ...head, metadata: { ...metadata, name: harness.uniqueName(name) }, spec });
  return readPool(harness, name);
}

/** Creates a Node that is Ready and has no kubelet. */
export async function createNode(
  harness: PoolHarness,
  name = "w1",
  metadata: Metadata = {},
  spec: object = {},
): Promise<Doc> {
  const own = { ...metadata, name: harness.uniqueName(name) };
  const created = await harness.create(nodesPath, { apiVersion: "v1", kind: "Node", metadata: own, spec });
  // Every new Node is tainted as not ready, which keeps DaemonSets off it.
  await patch(harness, `${nodesPath}/${harness.uniqueName(name)}`, { spec: { taints: null } });
  await setReady(harness, name, "True");
  return created;
}

export async function setReady(harness: PoolHarness, name: string, status: string): Promise<void> {
  const lastTransitionTime = "2026-11-20T11:00:00Z";
  const condition = { type: "Ready", status, lastTransitionTime, reason: "Test", message: "" };
  const path = `${nodesPath}/${harness.uniqueName(name)}`;
  await patch(harness, `${path}/status`, { status: { conditions: [condition] } });
}

export async function createBootcNode(
  harness: PoolHarness,
  name = "w1",
  { spec = {}, status, metadata = {} }: { spec?: object; status?: object; metadata?: Metadata } = {},
): Promise<Doc> {
  const head = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNode" };
  const body = {
    ...head,
    metadata: { ...metadata, name: harness.uniqueName(name) },
    spec: { desiredImage: imageA, ...spec },
  };
  const created = await harness.create(bootcNodesPath, body);
  if (status === undefined) return created;
  return patch(harness, `${bootcNodesPath}/${harness.uniqueName(name)}/status`, { status });
}

export function ownedBy({ name, uid }: NodePool) {
  return [{ apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", name, uid, controller: true }];
}
