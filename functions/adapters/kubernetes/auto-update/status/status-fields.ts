import type { FoundGate } from "../../../../domain/gates/closed-gate.ts";
import type { ComparisonState } from "../../../../domain/analysis/comparison/comparison.ts";
import type { Candidate } from "../../../../domain/gates/candidate.ts";
import type { ConfigChange } from "../../../../domain/workload/config/tracking.ts";
import type { AuditEntry } from "../../../../domain/workload/audit/audit-entry.ts";
import type { BackOffReason } from "../../../../domain/workload/update/back-off-reason.ts";
import type { RequestAnswer } from "../../../../domain/workload/request/person-request.ts";
import type { Release, ReleaseRestore } from "../../../../domain/workload/release/release.ts";
import type { ObjectCondition } from "../../conditions.ts";
import type { NotedStatus } from "./noted-status.ts";
import type { Reverts } from "../../../../domain/workload/owner/set-back.ts";
import type { Suspect } from "../../../../domain/workload/update/in-flight.ts";
import type { Attempts } from "../../../../domain/workload/workload.ts";
import type { RecordTarget, RunningStatus } from "./record-fields.ts";
import type { Stored } from "./stored.ts";
import type { Target } from "../../../../domain/workload/target/target.ts";

/** Every field is absent if there is nothing to say. Times are RFC 3339. */
export interface AutoUpdateStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly ObjectCondition[];
  readonly state?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly gates?: readonly FoundGate[];
  readonly queuedSince?: string;
  readonly candidates?: readonly Candidate[];
  readonly target?: RecordTarget;
  /** The failed versions of the repository that the workload has left. */
  readonly earlier?: { readonly repository: string; readonly failedVersions: readonly string[] };
  readonly running?: RunningStatus;
  readonly currentVersion?: string;
  readonly minimumVersion?: string;
  readonly availableVersion?: string;
  readonly candidateVersion?: string;
  readonly currentImage?: string;
  readonly lastCheckTime?: string;
  readonly lastUpdateTime?: string;
  readonly holdReason?: string;
  readonly rollbackCount?: number;
  readonly circuitOpen?: boolean;
  readonly failedVersions?: readonly string[];
  readonly history?: readonly HistoryStatusEntry[];
  readonly reverts?: Stored<Reverts>;
  readonly update?: UpdateStatus;
  readonly backOff?: BackOffStatus;
  readonly lastRequest?: RequestStatus;
  /** Oldest first. */
  readonly audit?: readonly AuditEntry[];
  readonly auditedApprovals?: readonly string[];
  readonly digests?: DigestStatus;
  readonly config?: ConfigStatus;
  readonly canary?: CanaryStatus;
  readonly analysis?: AnalysisStatus;
  readonly releases?: readonly ReleaseStatus[];
}

/** Oldest first. */
export interface ReleaseStatus extends Omit<Release, "at" | "by" | "result"> {
  readonly at: string;
  readonly by: string;
  readonly result: string;
}

/** How far the canary in flight has come. */
export interface CanaryStatus {
  readonly step: number;
  readonly steps: number;
  readonly plan: string;
  readonly size: string;
  readonly waitsFor: string;
  readonly since: string;
  readonly until?: string;
}

export interface HistoryStatusEntry {
  readonly version: string;
  readonly kind?: string;
  readonly image?: string;
  readonly previousImage?: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly result: string;
  readonly reason?: string;
  readonly execution?: string;
  readonly release?: number;
}

/** Why the target of a rollback is suspected, and since when the restored version is ready. */
export type SuspectStatus = Stored<Suspect>;

/** The update in flight. */
export interface UpdateStatus extends NotedStatus {
  readonly target: Target;
  /** "Claimed": the change of the workload may not have been written yet. */
  readonly phase: "Claimed" | "Applied" | "RollingBack";
  readonly strategy: "Rolling" | "Canary" | "Restart" | "Release";
  /** A rollback whose workload still has to be restored. */
  readonly restorePending?: boolean;
  /** The state machine whose executions hold the claim. */
  readonly holder: string;
  readonly execution: string;
  readonly expiresAt: string;
  readonly appliedImage?: string;
  readonly previousImage?: string;
  /** The image of the update that it superseded. */
  readonly replacedImage?: string;
  readonly targetUID: string;
  /** The generation of the workload as the claim read it. */
  readonly targetGeneration: number;
  /** The latest revision of the workload when the update was claimed; absent for a restart. */
  readonly targetRevision?: number;
  readonly startedAt: string;
  /** In a rollback: when the workload was restored. */
  readonly revertedAt?: string;
  /** In a rollback: why the target is suspected, and since when the restored version is ready. */
  readonly suspect?: SuspectStatus;
  readonly digests?: Readonly<Record<string, string>>;
  /** The release that is restored, and the pod template before. */
  readonly release?: Omit<ReleaseRestore, "from"> & { readonly from?: number };
  /** The containers that the update moved, with the images before it. */
  readonly containers?: Readonly<Record<string, string>>;
  /** A canary runs, or ran and may remain. */
  readonly hasCanary?: boolean;
  /** The HorizontalPodAutoscaler that counts the pods of the canary too. */
  readonly autoscaler?: string;
  readonly verdict?: "promote" | "abort";
  readonly hook?: HookStatus;
  readonly git?: GitStatus;
}

/** Where the image of the update is written, if git names it. */
export interface GitStatus {
  readonly repository: string;
  readonly since: string;
  readonly commit?: string;
  readonly url?: string;
  readonly syncedAt?: string;
}

/** The Job that ran, or runs, around the update. */
export interface HookStatus {
  readonly stage: string;
  readonly job: string;
  readonly jobUID?: string;
  readonly startedAt: string;
  readonly result?: string;
  readonly reason?: string;
}

/** Attempts to reach one target. */
export type AttemptsStatus = Stored<Attempts>;

/** Attempts that ended without an observation of the target. */
export interface BackOffStatus extends AttemptsStatus {
  readonly reason: BackOffReason;
  readonly message: string;
  readonly other?: AttemptsStatus;
  /** Of a quarantine: what continues after it. */
  readonly suspended?: Omit<BackOffStatus, "suspended">;
  /** The execution that ended and still holds the claim. */
  readonly execution?: string;
  readonly previousImage?: string;
}

export interface RequestStatus extends RequestAnswer {
  readonly at: string;
  readonly earlierTokens?: readonly string[];
}

export interface DigestStatus {
  readonly deployed?: Readonly<Record<string, string>>;
  readonly previous?: readonly Readonly<Record<string, string>>[];
  readonly reverted?: { readonly since: string; readonly digests: Readonly<Record<string, string>> };
  readonly pinned?: Readonly<Record<string, string>>;
  readonly ran?: Readonly<Record<string, string>>;
  readonly manifests?: Readonly<Record<string, readonly string[]>>;
}

/** The configuration that the pods were last started with, by ConfigMap or Secret. */
export interface ConfigStatus {
  readonly salt?: string;
  readonly digests?: Readonly<Record<string, string>>;
  readonly resourceVersions?: Readonly<Record<string, string>>;
  readonly lastChange?: ConfigChange;
}

export interface AnalysisStatus {
  readonly startedAt: string;
  readonly pause?: { readonly reason: string; readonly since: string; readonly message: string };
  readonly metrics: readonly MetricStatusFields[];
  readonly measurements: readonly MeasurementStatus[];
}

export interface MetricStatusFields {
  readonly name: string;
  readonly passes: number;
  readonly failures: number;
  readonly inconclusive: number;
  readonly errors: number;
  readonly consecutiveErrors: number;
  readonly consecutiveSuccesses: number;
  readonly noDataSince?: string;
  readonly measuredAt?: string;
  readonly jobUID?: string;
  readonly recent?: string;
  readonly comparison?: ComparisonState;
}

export interface MeasurementStatus {
  readonly metric: string;
  readonly at: string;
  readonly verdict: string;
  readonly value?: number;
  readonly note?: string;
  readonly baseline?: number;
}
