import { KubeConfig } from "@kubernetes/client-node";
import {
  kubernetesNodePools,
  type NodePoolsSettings,
} from "../../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../../../../functions/ports/node-pools.ts";
import type { Reply } from "../scripted.ts";

/** The adapter on a server without TLS. */
export function poolsAt(server: string, settings: Partial<NodePoolsSettings> = {}): NodePools {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: "scripted", server, skipTLSVerify: true }],
    users: [{ name: "nobody" }],
    contexts: [{ name: "scripted", cluster: "scripted", user: "nobody" }],
    currentContext: "scripted",
  });
  return kubernetesNodePools({ kubeConfig, now: () => new Date("2026-11-20T12:00:00Z"), ...settings });
}

export const metadata = { name: "w1", uid: "u-1", resourceVersion: "7", generation: 3 };

/** A BootcNodePool as a server answers it; rest is what is odd about it. */
export function poolObject(rest: object = {}) {
  const spec = { nodeSelector: {}, image: { ref: "quay.io/example/myos:v2" } };
  return { metadata: { ...metadata, name: "workers" }, spec, ...rest };
}

export function ok(body: object): Reply {
  return { code: 200, body };
}

export function refusal(code: number, reason: string, rest: object = {}): Reply {
  return { code, body: { kind: "Status", status: "Failure", code, reason, message: `because of ${reason}`, ...rest } };
}
