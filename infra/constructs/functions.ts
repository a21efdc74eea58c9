/** The group of a cluster's RBAC (`infra/cluster/`) that a function's role stands for. */
export type KubernetesGroup =
  | "pawl:pollers"
  | "pawl:recorders"
  | "pawl:updaters"
  | "pawl:analysts"
  | "pawl:node-updaters"
  | "pawl:drainers"
  | "pawl:node-agents";

/**
 * What a function may use besides its cluster; `polls` is to go on by invoking itself. Those from `pools` on come to nothing where a
 * cluster's node pools are left alone.
 */
export type Use =
  | "registries"
  | "executions"
  | "events"
  | "record-check"
  | "polls"
  | "prometheus"
  | "pools"
  | "pool-executions"
  | "pool-secrets"
  | "record-pool"
  | "commands";

/** What is kept up to date. Functions for node pools are deployed only where a cluster's are not left alone. */
export type Part = "workloads" | "node-pools";

export interface FunctionSpec {
  readonly part: Part;
  /** The state that invokes it, of its part's machine; null for those that others invoke. */
  readonly state: string | null;
  /** null never speaks to the cluster. */
  readonly group: KubernetesGroup | null;
  readonly uses: readonly Use[];
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** A Task of the machine ends after 60 seconds, whatever its function does. */
const step = { memoryMegabytes: 256, timeoutSeconds: 60 } as const;

const ofWorkloads = { part: "workloads", ...step } as const;
const ofPools = { part: "node-pools", ...step } as const;

/** They read every Node of the cluster, whole. */
const ofNodes = { ...ofPools, memoryMegabytes: 512 } as const;

/** The functions of one cluster, each named like its file in `functions/handlers`. */
export const functionSpecs = {
  "record-check": { state: null, group: "pawl:recorders", uses: ["events"], ...ofWorkloads },
  poll: {
    part: "workloads",
    state: null,
    group: "pawl:pollers",
    uses: [
      "registries",
      "executions",
      "record-check",
      "polls",
      "pools",
      "pool-executions",
      "pool-secrets",
      "record-pool",
    ],
    memoryMegabytes: 512,
    timeoutSeconds: 300,
  },
  "apply-update": { state: "ApplyUpdate", group: "pawl:updaters", uses: ["events"], ...ofWorkloads },
  "adopt-update": { state: "AdoptUpdate", group: "pawl:updaters", uses: [], ...ofWorkloads },
  "start-canary": { state: "StartCanary", group: "pawl:updaters", uses: ["events"], ...ofWorkloads },
  "check-canary": { state: "CheckCanary", group: "pawl:pollers", uses: [], ...ofWorkloads },
  "analyze-canary": { state: "AnalyzeCanary", group: "pawl:analysts", uses: ["prometheus"], ...ofWorkloads },
  "check-readiness": { state: "CheckReadiness", group: "pawl:pollers", uses: [], ...ofWorkloads },
  "record-success": { state: "RecordSuccess", group: "pawl:updaters", uses: ["events"], ...ofWorkloads },
  "roll-back": { state: "RollBack", group: "pawl:updaters", uses: ["events"], ...ofWorkloads },
  "open-circuit": { state: "OpenCircuit", group: "pawl:recorders", uses: ["events"], ...ofWorkloads },
  "hand-over": { state: "HandOver", group: null, uses: ["executions"], ...ofWorkloads },
  "record-pool": { state: null, group: "pawl:recorders", uses: ["events", "pools", "pool-secrets"], ...ofNodes },
  "claim-pool": { state: "ClaimPool", group: "pawl:node-updaters", uses: [], ...ofPools },
  "step-nodes": { state: "StepNodes", group: "pawl:node-updaters", uses: ["events", "pool-secrets"], ...ofNodes },
  "run-commands": { state: "RunCommands", group: "pawl:node-agents", uses: ["commands"], ...ofNodes },
  "drain-nodes": { state: "DrainNodes", group: "pawl:drainers", uses: ["pool-secrets"], ...ofNodes },
  "release-pool": { state: "ReleasePool", group: "pawl:node-updaters", uses: [], ...ofPools },
  "hand-over-pool": { state: "HandOverPool", group: null, uses: ["pool-executions"], ...ofPools },
} as const satisfies Readonly<Record<string, FunctionSpec>>;

export type HandlerName = keyof typeof functionSpecs;

export const handlerNames = Object.keys(functionSpecs) as readonly HandlerName[];
