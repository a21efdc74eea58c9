import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesPollLease } from "../adapters/kubernetes/poll-lease.ts";
import type { PollLease } from "../ports/poll-lease.ts";
import { createClaimHolder } from "./claim-holder.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openInCluster } from "./open-kube-config.ts";

/** Opens the lease of the polls of the settings' cluster. Throws what opening the cluster throws. */
export async function openPollLease(options: AdapterOptions): Promise<PollLease> {
  const { settings, now } = options;
  const { namespaces } = settings;
  const holder = createClaimHolder(settings.claimHolder);
  const open = (kubeConfig: KubeConfig) => createKubernetesPollLease({ kubeConfig, namespaces, holder, now });
  return openInCluster(options, open, async (source) => {
    const { reconnectingPollLease } = await import("../adapters/aws/secrets-manager/reconnecting-poll-lease.ts");
    return reconnectingPollLease(source);
  });
}
