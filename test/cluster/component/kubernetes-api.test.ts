import { kubernetesApiContract } from "../../contracts/kubernetes-api.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

describeOnRealCluster("kube-apiserver and kube-controller-manager", () => {
  kubernetesApiContract("the control plane", () => Promise.resolve({ kubeConfig: realKubeConfig() }));
});
