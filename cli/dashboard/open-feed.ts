import type { KubeConfig } from "@kubernetes/client-node";
import { defaultDigestOptions } from "../../functions/adapters/kubernetes/kinds/digest/digest-tracking.ts";
import { createWorkloadKinds } from "../../functions/adapters/kubernetes/kinds/kinds.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import type { StreamMessage } from "./model.ts";
import { openWorkloadFeed, type PageClock, type WorkloadFeed } from "./server/workload-feed.ts";

interface Options {
  readonly cluster: Cluster;
  readonly kubeConfig: KubeConfig;
  readonly options: ClusterOptions;
  readonly clock: PageClock;
  readonly allowsActions?: boolean;
  readonly publish: (message: StreamMessage) => void;
}

/** Opens the feed of all workloads that the options select. */
export function openFeedOf({ kubeConfig, options, allowsActions = false, ...rest }: Options): WorkloadFeed {
  const kinds = createWorkloadKinds({
    mirrors: options.runtimeImage ?? {},
    digests: defaultDigestOptions,
    hooks: true,
    holder: { id: "pawl dashboard", isLost: () => false },
    now: rest.clock.now,
  });
  // Only one of two versions is served; the other one is absent.
  const served = kinds.flatMap((kind) => (kind.olderVersion === undefined ? [kind] : [kind, kind.olderVersion]));
  const context = {
    context: kubeConfig.getCurrentContext(),
    server: kubeConfig.getCurrentCluster()?.server ?? "",
    user: kubeConfig.getCurrentUser()?.name ?? "",
    allowsActions,
  };
  const selected = { namespaces: options.namespace ?? null, labelSelector: options.selector };
  return openWorkloadFeed({ ...rest, ...selected, kubeConfig, kinds: served, context });
}
