import type { KubeConfig } from "@kubernetes/client-node";
import { kubernetesCluster } from "../adapters/kubernetes/cluster.ts";
import type { DigestHabits } from "../adapters/kubernetes/kinds/digest-tracking.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { DigestSettings } from "../settings.ts";
import type { Wiring } from "./open-aws.ts";
import { openInto } from "./open-kube-config.ts";

/** The cluster that the settings lead to. Throws what reading a kubeconfig throws, and what asking EKS for one does. */
export async function openCluster(wiring: Wiring & { readonly name: string }): Promise<Cluster> {
  const { name, settings, now } = wiring;
  const { namespaces, runtimeImages, pullSecrets: readsPullSecrets } = settings;
  const digests = habitsOf(settings.digests);
  const warn = (message: string) => process.emitWarning(message);
  const open = (kubeConfig: KubeConfig) =>
    kubernetesCluster({ name, kubeConfig, namespaces, runtimeImages, digests, readsPullSecrets, now, warn });
  return openInto(wiring, open, async (source) => {
    const { renewingCluster } = await import("../adapters/secrets/renewing-cluster.ts");
    return renewingCluster({ name, ...source });
  });
}

function habitsOf({ baseline, pullPolicy }: DigestSettings): DigestHabits {
  return { firstSight: baseline === "running" ? "baseline" : "restart", setsPullPolicy: pullPolicy === "always" };
}
