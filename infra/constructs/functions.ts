/** The group of a cluster's RBAC (`infra/cluster/`) that a function's role stands for. */
export type KubernetesGroup = "pawl:pollers" | "pawl:recorders" | "pawl:updaters" | "pawl:analysts";

/** What a function may use besides its cluster; `polls` is to go on by invoking itself. */
export type Use = "registries" | "executions" | "events" | "record-check" | "polls" | "prometheus";

export interface FunctionSpec {
  /** The state of the machine that invokes it; null for those that others invoke. */
  readonly state: string | null;
  /** null never speaks to the cluster. */
  readonly group: KubernetesGroup | null;
  readonly uses: readonly Use[];
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** A Task of the machine ends after 60 seconds, whatever its function does. */
const step = { memoryMegabytes: 256, timeoutSeconds: 60 } as const;

/** The functions of one cluster, each named like its file in `functions/handlers`. */
export const functionSpecs = {
  "record-check": { state: null, group: "pawl:recorders", uses: ["events"], ...step },
  poll: {
    state: null,
    group: "pawl:pollers",
    uses: ["registries", "executions", "record-check", "polls"],
    memoryMegabytes: 512,
    timeoutSeconds: 300,
  },
  "apply-update": { state: "ApplyUpdate", group: "pawl:updaters", uses: ["events"], ...step },
  "adopt-update": { state: "AdoptUpdate", group: "pawl:updaters", uses: [], ...step },
  "start-canary": { state: "StartCanary", group: "pawl:updaters", uses: ["events"], ...step },
  "check-canary": { state: "CheckCanary", group: "pawl:pollers", uses: [], ...step },
  "analyze-canary": { state: "AnalyzeCanary", group: "pawl:analysts", uses: ["prometheus"], ...step },
  "check-readiness": { state: "CheckReadiness", group: "pawl:pollers", uses: [], ...step },
  "record-success": { state: "RecordSuccess", group: "pawl:updaters", uses: ["events"], ...step },
  "roll-back": { state: "RollBack", group: "pawl:updaters", uses: ["events"], ...step },
  "open-circuit": { state: "OpenCircuit", group: "pawl:recorders", uses: ["events"], ...step },
  "hand-over": { state: "HandOver", group: null, uses: ["executions"], ...step },
} as const satisfies Readonly<Record<string, FunctionSpec>>;

export type HandlerName = keyof typeof functionSpecs;

export const handlerNames = Object.keys(functionSpecs) as readonly HandlerName[];
