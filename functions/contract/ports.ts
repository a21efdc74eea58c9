import type { LimitSettings } from "../domain/budget/limits.ts";
import type { CheckRecorder } from "../ports/check-recorder.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { Events } from "../ports/events.ts";
import type { Executions } from "../ports/executions.ts";
import type { GitRepository } from "../ports/git-repository.ts";
import type { MetricProviders } from "../ports/metric-provider.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Commands } from "../ports/node-commands.ts";
import type { NodePools } from "../ports/node-pools.ts";
import type { Notifications } from "../ports/notifications.ts";
import type { DigestSender, PollLease, PollLeaseObject } from "../ports/poll-lease.ts";
import type { PoolCheckRecorder } from "../ports/pool-check-recorder.ts";
import type { Registry } from "../ports/registry.ts";
import type { Verifier } from "../ports/verifier.ts";
import type { WorkList } from "../ports/work-list.ts";
import type { PoolInput } from "./node-pool-rollout.ts";
import type { FanOutState } from "./poll-fanout.ts";
import type { UpdateInput } from "./workload-update.ts";

/** Everything outside the process that a task may use, for the one cluster that it works on. */
export interface Ports {
  readonly cluster: Cluster;
  readonly registry: Registry;
  readonly executions: Executions<UpdateInput>;
  readonly nodePools: NodePools;
  readonly poolExecutions: Executions<PoolInput>;
  readonly poolCheckRecorder: PoolCheckRecorder;
  readonly commands: Commands;
  /** Whether polls also evaluate the cluster's node pools. */
  readonly nodePoolsEnabled: boolean;
  /** How long the digest that a pool's tag resolved to is used before the registry is asked again. */
  readonly tagCacheSeconds: number;
  readonly metricProvider: MetricProviders;
  readonly events: Events;
  readonly notifications: Notifications;
  /** The names of the targets of notifications; null if this process does not know them. */
  readonly notificationTargets: readonly string[] | null;
  readonly checkRecorder: CheckRecorder;
  /** What a namespace may use in a poll. */
  readonly limits: LimitSettings;
  /** Of the machine `poll-fanout`. */
  readonly fanOutExecutions: Pick<Executions<FanOutState>, "start">;
  readonly workList: WorkList;
  readonly pollLease: PollLease;
  /** The same Lease, without another function between: for the function that may write it. */
  readonly ownPollLease: PollLeaseObject;
  /** Opens a repository by its name in the configuration; null if that has none of this name. */
  readonly git: (name: string) => Promise<GitRepository | null>;
  readonly digests: DigestSender;
  readonly verifier: Verifier;
  readonly metrics: Metrics;
  readonly now: () => Date;
}
