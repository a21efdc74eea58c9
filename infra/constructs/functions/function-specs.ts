import type { ClusterConfig } from "../../config/schema.ts";
import type { Capability, Feature, FunctionSpec, KubernetesGroup } from "./function-spec.ts";

/** The machines end a Task after 60 seconds. */
const taskDefaults = { memoryMegabytes: 256, timeoutSeconds: 60 } as const;

const workloadDefaults = { feature: "workloads", ...taskDefaults } as const;
const poolDefaults = { feature: "node-pools", ...taskDefaults } as const;

/** These read every Node of the cluster completely. */
const nodeDefaults = { ...poolDefaults, memoryMegabytes: 512 } as const;

/** The functions of one cluster, each named like its file in `functions/handlers`. */
export const functionSpecs = {
  "record-check": { state: null, group: "pawl:recorders", capabilities: ["events"], ...workloadDefaults },
  poll: {
    feature: "workloads",
    state: null,
    group: "pawl:pollers",
    capabilities: [
      "registries",
      "executions",
      "record-check",
      "polls",
      "calendars",
      "peers",
      "fan-out",
      "write-work-lists",
      "read-work-lists",
      "analyses",
      "verify",
      "pools",
      "pool-executions",
      "pool-secrets",
      "record-pool",
    ],
    memoryMegabytes: 512,
    timeoutSeconds: 300,
  },
  "poll-batch": {
    feature: "poll-fanout",
    state: "PollBatch",
    group: "pawl:pollers",
    capabilities: [
      "registries",
      "executions",
      "record-check",
      "polls",
      "calendars",
      "peers",
      "read-work-lists",
      "analyses",
      "verify",
    ],
    memoryMegabytes: 512,
    // An Express execution ends after 300.
    timeoutSeconds: 240,
  },
  "collect-batches": {
    feature: "poll-fanout",
    state: "CollectBatches",
    group: "pawl:pollers",
    capabilities: ["record-check", "read-work-lists", "delete-work-lists"],
    memoryMegabytes: 512,
    timeoutSeconds: 120,
  },
  // Without access to the cluster. It reads up to 64 signatures of 1 MiB, one at a time.
  "verify-image": {
    state: "VerifyImage",
    group: null,
    capabilities: ["registries", "verify-rules"],
    ...workloadDefaults,
    memoryMegabytes: 512,
  },
  "apply-update": {
    state: "ApplyUpdate",
    group: "pawl:updaters",
    capabilities: ["events", "calendars", "peers", "verify"],
    ...workloadDefaults,
  },
  "adopt-update": { state: "AdoptUpdate", group: "pawl:updaters", capabilities: ["verify"], ...workloadDefaults },
  "restore-release": {
    state: "RestoreRelease",
    group: "pawl:restorers",
    capabilities: ["events", "verify"],
    ...workloadDefaults,
  },
  "sync-update": {
    state: "SyncUpdate",
    group: "pawl:analysts",
    capabilities: ["events", "verify", "git"],
    ...workloadDefaults,
  },
  "run-hook": { state: "RunHook", group: "pawl:hook-runners", capabilities: ["events", "verify"], ...workloadDefaults },
  "check-hook": {
    state: "CheckHook",
    group: "pawl:hook-runners",
    capabilities: ["events", "verify"],
    ...workloadDefaults,
  },
  "start-canary": {
    state: "StartCanary",
    group: "pawl:updaters",
    capabilities: ["events", "calendars", "peers", "verify"],
    ...workloadDefaults,
  },
  "check-canary": { state: "CheckCanary", group: "pawl:analysts", capabilities: [], ...workloadDefaults },
  "analyze-canary": {
    state: "AnalyzeCanary",
    group: "pawl:analysts",
    capabilities: ["metric-providers", "verify"],
    ...workloadDefaults,
  },
  "check-readiness": { state: "CheckReadiness", group: "pawl:analysts", capabilities: [], ...workloadDefaults },
  "roll-pod": { state: "RollPod", group: "pawl:evictors", capabilities: [], ...workloadDefaults },
  "analyze-rollout": {
    state: "AnalyzeRollout",
    group: "pawl:analysts",
    capabilities: ["metric-providers", "verify"],
    ...workloadDefaults,
  },
  "record-success": {
    state: "RecordSuccess",
    group: "pawl:updaters",
    capabilities: ["events", "verify"],
    ...workloadDefaults,
  },
  "roll-back": { state: "RollBack", group: "pawl:updaters", capabilities: ["events", "verify"], ...workloadDefaults },
  "check-rollback": {
    state: "CheckRollback",
    group: "pawl:updaters",
    capabilities: ["events", "verify"],
    ...workloadDefaults,
  },
  "open-circuit": { state: "OpenCircuit", group: "pawl:recorders", capabilities: ["events"], ...workloadDefaults },
  "continue-as-new": { state: "ContinueAsNew", group: null, capabilities: ["executions"], ...workloadDefaults },
  "record-pool": {
    state: null,
    group: "pawl:recorders",
    capabilities: ["events", "pools", "pool-secrets"],
    ...nodeDefaults,
  },
  "claim-pool": { state: "ClaimPool", group: "pawl:node-updaters", capabilities: [], ...poolDefaults },
  "reconcile-nodes": {
    state: "ReconcileNodes",
    group: "pawl:node-updaters",
    capabilities: ["events", "pool-secrets", "metric-providers", "calendars", "verify"],
    ...nodeDefaults,
  },
  "run-commands": { state: "RunCommands", group: "pawl:node-agents", capabilities: ["commands"], ...nodeDefaults },
  "drain-nodes": { state: "DrainNodes", group: "pawl:drainers", capabilities: ["pool-secrets"], ...nodeDefaults },
  "release-pool": { state: "ReleasePool", group: "pawl:node-updaters", capabilities: [], ...poolDefaults },
  "continue-pool-as-new": {
    state: "ContinuePoolAsNew",
    group: null,
    capabilities: ["pool-executions"],
    ...poolDefaults,
  },
  notify: { feature: "notifications", state: null, group: null, capabilities: [], ...taskDefaults },
} as const satisfies Readonly<Record<string, FunctionSpec>>;

export type HandlerName = keyof typeof functionSpecs;

export const handlerNames = Object.keys(functionSpecs) as readonly HandlerName[];

/** Returns the name that the bundle exports a handler by: `checkReadiness` for `check-readiness`. */
export function exportName(handler: HandlerName): string {
  return handler.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type ClusterFeatures = Pick<ClusterConfig, "nodePools" | "releases" | "hooks"> &
  Partial<Pick<ClusterConfig, "verify" | "peers" | "git">>;

/** Functions for workloads that a cluster has only if its configuration says so. */
const optional: Readonly<Partial<Record<HandlerName, keyof ClusterFeatures>>> = {
  "restore-release": "releases",
  "run-hook": "hooks",
  "check-hook": "hooks",
  "verify-image": "verify",
  "sync-update": "git",
};

/** Returns the features that a cluster uses. */
function featuresOf({ nodePools }: Pick<ClusterFeatures, "nodePools">): readonly Feature[] {
  return nodePools === null ? ["workloads", "poll-fanout"] : ["workloads", "poll-fanout", "node-pools"];
}

/** Returns the functions of a cluster. */
export function handlersFor(cluster: ClusterFeatures): readonly HandlerName[] {
  const features = featuresOf(cluster);
  const isEnabled = (name: HandlerName) => {
    const feature = optional[name];
    if (feature === "verify") return hasRules(cluster);
    if (feature === "git") return (cluster.git ?? []).length > 0;
    return feature === undefined || cluster[feature] === true;
  };
  return handlerNames.filter((name) => features.includes(functionSpecs[name].feature) && isEnabled(name));
}

/** Returns the groups of a function on a cluster. To commit for all workloads at once, it lists them. Only with Jobs as metrics, the functions that query metrics of workloads create Jobs. */
export function groupsOf(
  handler: HandlerName,
  { jobMetrics }: Pick<ClusterConfig, "jobMetrics">,
): readonly KubernetesGroup[] {
  const { group, capabilities, feature }: FunctionSpec = functionSpecs[handler];
  if (group === null) return [];
  if (capabilities.includes("git")) return [group, "pawl:pollers"];
  return jobMetrics && feature === "workloads" && capabilities.includes("metric-providers")
    ? [group, "pawl:hook-runners"]
    : [group];
}

/** Returns the capabilities of a function on a cluster, without those of disabled features. */
export function capabilitiesOf(
  handler: HandlerName,
  { nodePools, verify = [], peers = [] }: Pick<ClusterFeatures, "nodePools" | "verify" | "peers">,
): readonly Capability[] {
  const { capabilities }: FunctionSpec = functionSpecs[handler];
  const isDisabled: Readonly<Partial<Record<Capability, boolean>>> = {
    pools: nodePools === null,
    "pool-executions": nodePools === null,
    "record-pool": nodePools === null,
    "pool-secrets": nodePools === null || !nodePools.usePullSecrets,
    verify: !hasRules({ verify }),
    peers: peers.length === 0,
    commands: nodePools === null || nodePools.runCommand === null,
  };
  return capabilities.filter((capability) => isDisabled[capability] !== true);
}

function hasRules({ verify = [] }: Pick<ClusterFeatures, "verify">): boolean {
  return verify.length > 0;
}

export function usesWorkLists(capabilities: readonly Capability[]): boolean {
  return capabilities.includes("write-work-lists") || capabilities.includes("read-work-lists");
}
