import { describeNodePools } from "../../contracts/node-pools.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

describeOnRealCluster("kube-apiserver and kube-controller-manager", () => {
  describeNodePools("the control plane", async () => {
    const kubeConfig = realKubeConfig();
    await installCrd(kubeConfig, "bootc-node-pool");
    await installCrd(kubeConfig, "bootc-node");
    return kubeConfig;
  });
});
