import type { BootcAgentOptions } from "../cluster/controllers/bootc-agent.ts";
import { nodePoolCrds } from "../cluster/node-pool-crds.ts";

/** The repository of the workers' OS image; its tag `stable` stands for something newer than what they run. */
export const osRepository = "os/myos";

const formerOs = `sha256:${"41d9a0c27f6be35802c4d1e9b7a65f38".repeat(2)}`;
const worker = { "node-role.kubernetes.io/worker": "" };

/** Three nodes that run some of the workloads, and the pool that keeps their operating system up to date. */
export function demoNodePool(registry: string): readonly object[] {
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
      spec: {
        nodeSelector: { matchLabels: worker },
        image: { ref: `${registry}/${osRepository}:stable` },
        rollout: { maxUnavailable: 1 },
      },
    },
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web", namespace: "shop" },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: "web" } } },
    },
  ];
}

/** What the daemon of bootc-operator would do on each of them. */
export function demoBootcAgent(registry: string): BootcAgentOptions {
  return {
    bootedAtFirst: () => `${registry}/${osRepository}@${formerOs}`,
    secondsToStage: 40,
    secondsToReboot: 60,
  };
}
