import { KubeConfig } from "@kubernetes/client-node";
import { afterAll } from "vitest";
import { startEmbeddedCluster, type EmbeddedCluster } from "../../../../infra/local/kubernetes/cluster.ts";
import { kubernetesApiContract } from "../../../contracts/kubernetes-api.ts";

let cluster: EmbeddedCluster | undefined;

kubernetesApiContract("the embedded cluster", async () => {
  cluster = await startEmbeddedCluster({ now: () => new Date(), secondsToReady: 0, secondsToTerminate: 0 });
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(cluster.kubeconfig);
  return { kubeConfig };
});

afterAll(() => cluster?.close());
