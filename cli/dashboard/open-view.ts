import type { RateLimit } from "../../functions/adapters/oci-registry/rate-limit-headers.ts";
import { connectCluster } from "../connect/cluster.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { connectNodePools } from "../connect/node-pools.ts";
import { connectRegistry } from "../connect/registry.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { includesNodePools, type NodePoolOptions } from "../options/node-pool.ts";
import type { RegistryOptions } from "../options/registry.ts";
import type { StreamMessage } from "./model.ts";
import { openFeedOf } from "./open-feed.ts";
import type { ClusterView } from "./server/cluster-view.ts";
import { readPlan } from "./server/dry-run.ts";
import { createExecutions } from "./server/executions.ts";
import { performAction } from "./server/perform-action.ts";
import { openPollFeed } from "./server/poll-feed.ts";
import { readPoolDetail, readPoolRows } from "./server/pool-detail.ts";
import { openPoolFeed } from "./server/pool-feed.ts";
import { createProblems } from "./server/problems.ts";
import type { PageClock } from "./server/workload-feed.ts";
import { workloadQueries } from "./server/workload-queries.ts";

export interface ViewOptions extends ClusterOptions, RegistryOptions, NodePoolOptions {
  readonly clock: PageClock;
  readonly allowActions?: boolean;
}

/** Opens the view of a cluster with the rights of the kubeconfig's user. Throws `InvalidInput`. */
export async function openView(
  { clock, allowActions = false, ...options }: ViewOptions,
  publish: (message: StreamMessage) => void,
): Promise<ClusterView> {
  const { now } = clock;
  const { cluster, server, readLastPoll } = await connectCluster(options);
  const rateLimits = new Map<string, RateLimit>();
  const registry = await connectRegistry(options, (host, limit) => rateLimits.set(host, limit));
  const nodePools = includesNodePools(options) ? await connectNodePools(options) : null;
  const kubeConfig = await loadKubeConfig(options);
  const executions = createExecutions(kubeConfig);
  const refOf = (key: string) => feed.refOf(key);
  const problems = createProblems((problem) => publish({ kind: "connection", problem }));
  const report = (message: StreamMessage) => {
    if (message.kind === "connection") problems.report("workloads", message.problem);
    else publish(message);
  };
  const feed = openFeedOf({ cluster, kubeConfig, options, clock, allowsActions: allowActions, publish: report });
  const polls = openPollFeed({
    readLastPoll,
    clock,
    publish: (found) => publish({ kind: "polls", polls: found }),
    onInstallation: (installation) => executions.note(installation),
  });
  const closePoolFeed =
    nodePools === null
      ? () => undefined
      : openPoolFeed(
          kubeConfig,
          async () => publish({ kind: "pools" }),
          (source, problem) => problems.report(source, problem),
        );
  return {
    first: () => [
      feed.snapshot(),
      { kind: "polls", polls: polls.first() },
      { kind: "connection", problem: problems.first() },
    ],
    act: allowActions ? (action) => performAction({ cluster, nodePools, server, refOf }, action) : null,
    queries: {
      ...workloadQueries({ cluster, kubeConfig, registry, executions, now, refOf }),
      pools: async () => (nodePools === null ? [] : readPoolRows({ nodePools, now })),
      pool: async (search) => (nodePools === null ? null : readPoolDetail({ nodePools, now }, search.get("key") ?? "")),
      plan: () => readPlan({ cluster, nodePools, registry, rateLimits, now }),
    },
    close() {
      feed.close();
      polls.close();
      closePoolFeed();
    },
  };
}
