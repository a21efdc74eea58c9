import type { StateName } from "../../functions/domain/state/state.ts";
import type { AuditEntry } from "../../functions/domain/workload/audit/audit-entry.ts";
import type { PoolStatus } from "../node-pools/status.ts";
import type { CanaryStepRow, CriterionRow, PodRow, PolicySetting, RegistryRow, TestRow } from "./detail-model.ts";

/** What the dashboard's server sends to its page, as JSON. Times are RFC3339 in UTC; null is unknown or none. */

export interface WorkloadRow {
  /** `deployment/shop/web`. */
  readonly key: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly current: string | null;
  readonly available: string | null;
  readonly state: StateName;
  readonly reason: string;
  readonly message: string;
  readonly circuit: "open" | "closed";
  /** `1/3`: rollbacks since the last healthy update, and how many open the circuit. */
  readonly rollbacks: string;
  /** When it was updated last. */
  readonly changedAt: string | null;
  /** null if no update is in flight. */
  readonly progress: RowProgress | null;
  /** What ended in the last 24 hours. */
  readonly recent: readonly RecentUpdate[];
}

export interface RecentUpdate {
  readonly at: string;
  readonly isHealthy: boolean;
}

/** How far an update in flight has come. */
export interface RowProgress {
  readonly step: string;
  /** When the step ends by itself, and as what. */
  readonly ends: { readonly at: string; readonly as: string } | null;
  /** Of the canary while there is one; null for a kind without replicas. */
  readonly replicas: Replicas | null;
  readonly isCanary: boolean;
}

/** When Pawl polled the cluster. */
export interface Polls {
  readonly lastAt: string;
  /** The installation; null if it is not known. */
  readonly by: string | null;
  readonly isRunning: boolean;
  /** null if it is not known how often Pawl polls. */
  readonly nextAt: string | null;
  readonly overdueAt: string;
}

/** Whose cluster the page shows. */
export interface ClusterContext {
  readonly context: string;
  /** The URL of the API server. */
  readonly server: string;
  readonly user: string;
  /** Whether the page may change anything. */
  readonly allowsActions: boolean;
}

/** One message of the stream. */
export type StreamMessage =
  | {
      readonly kind: "snapshot";
      /** The time of the cluster, and how much faster than real time it is: more than 1 in the demo. */
      readonly at: string;
      readonly speed: number;
      readonly context: ClusterContext;
      readonly workloads: readonly WorkloadRow[];
      readonly notes: readonly string[];
    }
  | { readonly kind: "changed"; readonly workloads: readonly WorkloadRow[]; readonly gone: readonly string[] }
  /** null if there is no Lease, or no right to read it. */
  | { readonly kind: "polls"; readonly polls: Polls | null }
  /** Node pools or their nodes have changed: read them again. */
  | { readonly kind: "pools" }
  /** The cluster does not answer; null if it does again. */
  | { readonly kind: "connection"; readonly problem: string | null };

/** What a page receives. `cluster` says whose message it is; absent on the page of one. */
export type PageMessage =
  | (StreamMessage & { readonly cluster?: string })
  /** Replaces all that the page has shown: of other logins there are no more messages. */
  | { readonly kind: "logins"; readonly logins: readonly LoginRow[] };

/** One way to sign in, and the clusters that it opens. */
export interface LoginRow {
  readonly name: string;
  readonly clusters: readonly string[];
  /** null if the viewer is not signed in. */
  readonly user: string | null;
}

export interface HistoryRow {
  readonly version: string;
  readonly status: string;
  readonly appliedAt: string;
  readonly finishedAt: string | null;
  readonly reason: string | null;
  readonly execution: string | null;
}

export interface Replicas {
  readonly desired: number;
  readonly updated: number;
  readonly available: number;
  readonly old: number;
}

export interface MeasurementRow {
  readonly metric: string;
  readonly at: string;
  readonly verdict: string;
  readonly value: number | null;
  readonly note: string | null;
  /** The value of the stable pods; absent if the metric is not compared with them. */
  readonly baseline?: number;
}

export interface EventRow {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly at: string | null;
}

export interface ReleaseRow {
  readonly number: number;
  readonly version: string;
  readonly result: string;
  readonly by: string;
  readonly at: string;
  readonly rolledBackFrom: number | null;
  readonly hasSnapshot: boolean;
}

/** A closed gate, and who lifts it. */
export interface GateRow {
  readonly name: string;
  readonly message: string;
  readonly since: string | null;
  readonly until: string | null;
  /** `run "pawl retry"`; null if nothing lifts it. */
  readonly lift: string | null;
}

export interface WorkloadDetail {
  readonly row: WorkloadRow;
  /** The state of `workload-update` that its execution is in; null if nothing is in flight. */
  readonly activeState: string | null;
  /** The address of an execution in the console of AWS, up to its name; null for `pawl local`, and if it is not known. */
  readonly executionsUrl: string | null;
  readonly update: {
    readonly target: string;
    readonly version: string;
    /** `update to web:1.3.0`, `restart of web:1.2.0`. */
    readonly what: string;
    readonly previous: string | null;
    readonly startedAt: string | null;
    readonly execution: string | null;
    /** The address of the commit or pull request that has the image, with https; null if there is none. */
    readonly page: string | null;
    readonly step: string;
    /** When the step ends by itself, and as what. */
    readonly ends: { readonly at: string; readonly as: string } | null;
    readonly waitsFor: string | null;
  } | null;
  readonly replicas: Replicas | null;
  readonly canary: Replicas | null;
  readonly pods: readonly PodRow[];
  readonly failedVersions: readonly string[];
  readonly problems: readonly string[];
  readonly lastRequest: string | null;
  /** The closed gates in a few words, as of the last poll; null if there are none. */
  readonly waitsFor: string | null;
  readonly gates: readonly GateRow[];
  /** What people did, newest first. */
  readonly audit: readonly AuditEntry[];
  /** Where the settings are written, and each of them. */
  readonly policySource: string;
  readonly policy: readonly PolicySetting[];
  readonly steps: readonly CanaryStepRow[];
  readonly criteria: readonly CriterionRow[];
  readonly tests: readonly TestRow[];
  readonly measurements: readonly MeasurementRow[];
  readonly history: readonly HistoryRow[];
  readonly releases: readonly ReleaseRow[];
  readonly events: readonly EventRow[];
}

export interface NodeRow {
  readonly node: string;
  readonly state: string;
  readonly booted: string | null;
  readonly staged: string | null;
  readonly slot: { readonly acquiredAt: string | null; readonly approvedAt: string | null } | null;
  readonly cordoned: string | null;
  readonly next: string | null;
  readonly problem: string | null;
  /** What its drain waits for, or loses. */
  readonly drain: readonly string[];
}

export interface WindowRow {
  readonly from: string;
  readonly until: string;
}

export interface PoolDetail {
  readonly row: PoolStatus;
  /** How many nodes may be unavailable at a time. */
  readonly slots: number;
  /** How often all slots are used until every node is updated; null if there are no slots. */
  readonly rounds: number | null;
  readonly isWindowOpen: boolean;
  /** In the next 48 hours; none if the pool has no windows. */
  readonly windows: readonly WindowRow[];
  readonly nodes: readonly NodeRow[];
}

/** What the next poll would decide about one workload or node pool. */
export interface PlanRow {
  readonly workload: string;
  readonly current: string | null;
  readonly candidate: string | null;
  readonly state: StateName;
  readonly reason: string;
  readonly message: string;
}

export interface PlanDocument {
  readonly rows: readonly PlanRow[];
  readonly registries: readonly RegistryRow[];
  readonly notes: readonly string[];
}
