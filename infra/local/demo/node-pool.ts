import type { BootcAgentOptions } from "../kubernetes/controllers/nodes/bootc-agent.ts";
import { nodePoolCrds } from "../kubernetes/crds.ts";

/** The repository of the nodes' OS image; its tag `stable` points to a newer image than the nodes run. */
export const osRepository = "os/myos";

const initialOsDigest = `sha256:${"41d9a0c27f6be35802c4d1e9b7a65f38".repeat(2)}`;
const worker = { "node-role.kubernetes.io/worker": "" };

/** Returns three nodes that run some of the workloads, and the pool that updates their operating system. */
export function demoNodePool(registry: string, rollout: object = { maxUnavailable: 1 }): readonly object[] {
  return [
    ...nodePoolCrds(),
    ...["worker-1", "worker-2", "worker-3"].map((name) => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels: { "kubernetes.io/hostname": name, ...worker } },
    })),
    {
      apiVersion: "node.bootc.dev/v1alpha1",
      kind: "BootcNodePool",
      metadata: { name: "workers" },
      spec: { nodeSelector: { matchLabels: worker }, image: { ref: `${registry}/${osRepository}:stable` }, rollout },
    },
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web", namespace: "shop" },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: "web" } } },
    },
  ];
}

/** Returns the options of the simulated bootc-operator daemon on these nodes. */
export function demoBootcAgent(registry: string): BootcAgentOptions {
  return {
    initialImage: () => `${registry}/${osRepository}@${initialOsDigest}`,
    secondsToStage: 40,
    secondsToReboot: 60,
  };
}
