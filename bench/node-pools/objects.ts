import { nodePoolCrds } from "../../infra/local/kubernetes/crds.ts";
import { nodeObject, workerLabel } from "./node-object.ts";
import type { Size } from "./scenario.ts";

export const poolName = "workers";
const repository = "quay.io/example/os";

/** Returns the pool's n-th image, by digest so that no registry is queried. */
export function osImage(release: number): string {
  return `${repository}@sha256:${String(release).padStart(64, "0")}`;
}

/** Returns the objects of a cluster with one pool, whose nodes all have pods. */
export function clusterObjects({ nodes, maxUnavailable, pods }: Size): readonly object[] {
  const names = Array.from({ length: nodes }, (_, index) => `worker-${String(index).padStart(4, "0")}`);
  return [
    ...nodePoolCrds(),
    ...names.map(nodeObject),
    ...names.flatMap((node) => Array.from({ length: pods }, (_, index) => podObject(node, index))),
    {
      apiVersion: "node.bootc.dev/v1alpha1",
      kind: "BootcNodePool",
      metadata: { name: poolName },
      spec: { nodeSelector: { matchLabels: workerLabel }, image: { ref: osImage(0) }, rollout: { maxUnavailable } },
    },
  ];
}

/** About 2 kB. Evicted pods are not recreated, so all nodes drain the same number of pods. */
function podObject(nodeName: string, index: number): object {
  const name = `web-${index}-${nodeName}`;
  const labels = {
    "app.kubernetes.io/name": `web-${index}`,
    "app.kubernetes.io/part-of": "bench",
    "pod-template-hash": "6d4cf56db6",
  };
  const env = Array.from({ length: 24 }, (_, setting) => ({
    name: `SETTING_${setting}`,
    value: `value ${setting} of ${name}`,
  }));
  const probe = { httpGet: { path: "/healthz", port: 8080, scheme: "HTTP" }, periodSeconds: 10, failureThreshold: 3 };
  const limits = { cpu: "500m", memory: "512Mi" };
  const container = {
    name: "app",
    image: "shop/web:1.0.0",
    env,
    resources: { limits },
    livenessProbe: probe,
    readinessProbe: probe,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "shop", labels },
    spec: { nodeName, terminationGracePeriodSeconds: 30, containers: [container] },
  };
}
