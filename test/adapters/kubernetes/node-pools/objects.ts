import {
  kubernetesNodePools,
  type NodePoolsSettings,
} from "../../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../../../../functions/ports/node-pools.ts";
import { kubeConfigAt } from "../scripted.ts";

/** The adapter on a server without TLS. */
export function poolsAt(server: string, settings: Partial<NodePoolsSettings> = {}): NodePools {
  const now = () => new Date("2026-11-20T12:00:00Z");
  return kubernetesNodePools({ kubeConfig: kubeConfigAt(server), now, ...settings });
}

export const metadata = { name: "w1", uid: "u-1", resourceVersion: "7", generation: 3 };

/** A BootcNodePool as a server answers it; rest is what is odd about it. */
export function poolObject(rest: object = {}) {
  const spec = { nodeSelector: {}, image: { ref: "quay.io/example/myos:v2" } };
  return { metadata: { ...metadata, name: "workers" }, spec, ...rest };
}
