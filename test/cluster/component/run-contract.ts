import { clusterContract } from "../../contracts/cluster.ts";
import { installCrd } from "../../support/crds/install.ts";
import { everyNth } from "../../support/property-runs.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

/** Runs a part of the contract of `Cluster` for every other kind: on the embedded cluster, and in a soak, it runs for all. */
export function runContract(part: Parameters<typeof clusterContract>[0]): void {
  const connect = async () => {
    const kubeConfig = realKubeConfig();
    await installCrd(kubeConfig, "claw");
    await installCrd(kubeConfig, "auto-update");
    return { kubeConfig };
  };
  describeOnRealCluster("kube-apiserver and kube-controller-manager", () => {
    clusterContract(part, "the control plane", connect, (all) => everyNth(2, all));
  });
}
