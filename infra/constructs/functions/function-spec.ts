/** The group of a cluster's RBAC (`infra/cluster/`) that a function's role is mapped to. */
export type KubernetesGroup =
  | "pawl:pollers"
  | "pawl:peers"
  | "pawl:recorders"
  | "pawl:updaters"
  | "pawl:restorers"
  | "pawl:hook-runners"
  | "pawl:analysts"
  | "pawl:evictors"
  | "pawl:node-updaters"
  | "pawl:drainers"
  | "pawl:node-agents";

/**
 * What a function may use in addition to its cluster. With `polls`, it evaluates workloads, and with `fan-out` it starts a poll in batches,
 * whose work lists have rights of their own. With `analyses`, it knows which metric providers are allowed, and with `metric-providers` it queries them. The capabilities
 * from `pools` on have no effect if the node pools of a cluster are not managed.
 */
export type Capability =
  | "registries"
  | "executions"
  | "events"
  | "record-check"
  | "polls"
  | "calendars"
  /** Reads workloads of the peers. */
  | "peers"
  | "fan-out"
  | "write-work-lists"
  | "read-work-lists"
  | "delete-work-lists"
  | "analyses"
  /** Asks `verify-image`. */
  | "verify"
  /** Has the rules of signatures. */
  | "verify-rules"
  | "metric-providers"
  /** Commits to git. */
  | "git"
  | "pools"
  | "pool-executions"
  | "pool-secrets"
  | "record-pool"
  | "commands";

/**
 * What a function updates, or sends. Functions for node pools are deployed only if the cluster's node pools are managed, and one for
 * notifications serves all clusters. Those of `poll-fanout` poll what is too much for one invocation.
 */
export type Feature = "notifications" | "workloads" | "poll-fanout" | "node-pools";

export interface FunctionSpec {
  readonly feature: Feature;
  /** The state that invokes it, in the machine of its feature; null if no state does. */
  readonly state: string | null;
  /** null has no access to the cluster. */
  readonly group: KubernetesGroup | null;
  readonly capabilities: readonly Capability[];
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}
