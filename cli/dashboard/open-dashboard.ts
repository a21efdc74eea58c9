import type { RateLimit } from "../../functions/adapters/oci-registry/rate-limit-headers.ts";
import { connectCluster } from "../connect/cluster.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { connectNodePools } from "../connect/node-pools.ts";
import { connectRegistry } from "../connect/registry.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { includesNodePools, type NodePoolOptions } from "../options/node-pool.ts";
import type { RegistryOptions } from "../options/registry.ts";
import type { Action } from "./actions.ts";
import type { StreamMessage } from "./model.ts";
import { openFeedOf } from "./open-feed.ts";
import { buildAssets } from "../../infra/bundles/page-assets.ts";
import { createExecutions } from "./server/executions.ts";
import { readPlan } from "./server/dry-run.ts";
import { performAction } from "./server/perform-action.ts";
import { readPoolDetail, readPoolRows } from "./server/pool-detail.ts";
import { createProblems } from "./server/problems.ts";
import { openPollFeed } from "./server/poll-feed.ts";
import { openPoolFeed } from "./server/pool-feed.ts";
import { serveDashboard } from "./server/serve.ts";
import { workloadQueries } from "./server/workload-queries.ts";
import type { PageClock } from "./server/workload-feed.ts";

interface Dashboard {
  /** With the token of this run. */
  readonly url: string;
  close(): Promise<void>;
}

interface Options extends ClusterOptions, RegistryOptions, NodePoolOptions {
  /** 0 is a free port. */
  readonly port: number;
  readonly clock: PageClock;
  readonly allowActions?: boolean;
}

/** Serves the dashboard of a cluster with the rights of the kubeconfig's user. Throws `InvalidInput`, or if the port is in use. */
export async function openDashboard({ port, clock, allowActions = false, ...options }: Options): Promise<Dashboard> {
  const { now } = clock;
  const { cluster, server: apiServer, readLastPoll } = await connectCluster(options);
  const rateLimits = new Map<string, RateLimit>();
  const registry = await connectRegistry(options, (host, limit) => rateLimits.set(host, limit));
  const nodePools = includesNodePools(options) ? await connectNodePools(options) : null;
  const kubeConfig = await loadKubeConfig(options);
  const executions = createExecutions(kubeConfig);
  const refOf = (key: string) => feed.refOf(key);
  const act = (action: Action) => performAction({ cluster, nodePools, server: apiServer, refOf }, action);
  const problems = createProblems((problem) => server.publish({ kind: "connection", problem }));
  const server = await serveDashboard({
    port,
    assets: await buildAssets(),
    first: () => [
      feed.snapshot(),
      { kind: "polls", polls: polls.first() },
      { kind: "connection", problem: problems.first() },
    ],
    act: allowActions ? act : null,
    queries: {
      ...workloadQueries({ cluster, kubeConfig, registry, executions, now, refOf }),
      pools: async () => (nodePools === null ? [] : readPoolRows({ nodePools, now })),
      pool: async (search) => (nodePools === null ? null : readPoolDetail({ nodePools, now }, search.get("key") ?? "")),
      plan: () => readPlan({ cluster, nodePools, registry, rateLimits, now }),
    },
  });
  const publish = (message: StreamMessage) => {
    if (message.kind === "connection") problems.report("workloads", message.problem);
    else server.publish(message);
  };
  const feed = openFeedOf({ cluster, kubeConfig, options, clock, allowsActions: allowActions, publish });
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
    url: server.url,
    async close() {
      feed.close();
      polls.close();
      closePoolFeed();
      await server.close();
    },
  };
}
