import { clusterContract } from "../../contracts/cluster.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

describeOnRealCluster("kube-apiserver and kube-controller-manager", () => {
  clusterContract("workloads and canaries", "the control plane", async () => {
    const kubeConfig = realKubeConfig();
    await installCrd(kubeConfig, "claw");
    await installCrd(kubeConfig, "auto-update");
    return { kubeConfig };
  });
});
