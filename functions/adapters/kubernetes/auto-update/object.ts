import { createHash } from "node:crypto";
import { trimEnd } from "../../../domain/text/trim-end.ts";
import type { BackOffReason } from "../../../domain/workload/back-off-reason.ts";
import type { RequestAnswer } from "../../../domain/workload/person-request.ts";
import type { ObjectCondition } from "../conditions.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import type { NotedStatus } from "./noted-status.ts";

export const resource: Resource = { group: "pawl.dev", version: "v1alpha1", plural: "autoupdates", kind: "AutoUpdate" };

/** Set on an AutoUpdate that Pawl created for annotations. */
export const managedByLabel = { "app.kubernetes.io/managed-by": "pawl" } as const;

/** Where an update of a built-in workload is configured and recorded. */
export interface AutoUpdate extends KubernetesObject {
  readonly spec: AutoUpdateSpec;
  readonly status?: AutoUpdateStatus;
}

export interface AutoUpdateSpec {
  readonly targetRef: TargetRef;
  /** No new update starts; one in flight continues. */
  readonly suspend?: boolean;
  /** Present, even if empty: its author owns the object, and the annotations of the workload must not opt in. */
  readonly policy?: AutoUpdatePolicy;
}

export interface TargetRef {
  /** Group and kind identify the target; the version does not. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Every field is optional: the defaults are those of the annotations. */
export interface AutoUpdatePolicy {
  readonly versionConstraint?: string;
  readonly tagPattern?: string;
  readonly schedule?: string;
  readonly healthTimeout?: string;
  readonly maxRollbacks?: number;
  readonly containers?: readonly string[];
  readonly canary?: string;
  readonly canarySteps?: readonly object[];
  readonly analysis?: string;
  readonly bakeTime?: string;
  readonly digest?: DigestPolicy;
}

/** Present, even if empty: the digests of tags are tracked. */
export interface DigestPolicy {
  /** Whether newer tags are ignored, so that only digests are tracked. */
  readonly only?: boolean;
  readonly containers?: readonly string[];
  readonly ignoreContainers?: readonly string[];
  readonly initContainers?: boolean;
  readonly rollbackTo?: string;
}

/** Every field is absent if there is nothing to say. Times are RFC 3339. */
export interface AutoUpdateStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly ObjectCondition[];
  readonly currentVersion?: string;
  readonly heldVersion?: string;
  readonly availableVersion?: string;
  readonly currentImage?: string;
  readonly lastCheckTime?: string;
  readonly lastUpdateTime?: string;
  readonly holdReason?: string;
  readonly rollbackCount?: number;
  readonly circuitOpen?: boolean;
  readonly failedVersions?: readonly string[];
  readonly history?: readonly HistoryStatusEntry[];
  readonly update?: UpdateStatus;
  readonly backOff?: BackOffStatus;
  readonly lastRequest?: RequestStatus;
  readonly digests?: DigestStatus;
  readonly canary?: CanaryStatus;
  readonly analysis?: AnalysisStatus;
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
  readonly image?: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly result: string;
  readonly reason?: string;
  readonly execution?: string;
}

/** The update in flight. */
export interface UpdateStatus extends NotedStatus {
  /** "Claimed": the change of the workload may not have been written yet. */
  readonly phase: "Claimed" | "Applied" | "RollingBack";
  readonly strategy: "Rolling" | "Canary" | "Restart";
  /** A rollback whose workload still has to be restored. */
  readonly restorePending?: boolean;
  /** The state machine whose executions hold the claim. */
  readonly holder: string;
  readonly execution: string;
  readonly expiresAt: string;
  readonly targetImage: string;
  readonly previousImage?: string;
  readonly targetUID: string;
  /** The generation of the workload as the claim read it. */
  readonly targetGeneration: number;
  /** The latest revision of the workload when the update was claimed; absent for a restart. */
  readonly targetRevision?: number;
  readonly startedAt: string;
  /** In a rollback: when the workload was restored. */
  readonly revertedAt?: string;
  readonly digests?: Readonly<Record<string, string>>;
  /** The containers that the update moved, with the images before it. */
  readonly containers?: Readonly<Record<string, string>>;
  /** A canary runs, or ran and may remain. */
  readonly hasCanary?: boolean;
  /** The HorizontalPodAutoscaler that counts the pods of the canary too. */
  readonly autoscaler?: string;
  readonly verdict?: "promote" | "abort";
}

/** Attempts that ended without an observation of the target. */
export interface BackOffStatus {
  readonly reason: BackOffReason;
  readonly message: string;
  readonly targetImage: string;
  readonly attempts: number;
  readonly until: string;
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
}

export interface AnalysisStatus {
  readonly startedAt: string;
  readonly pause?: { readonly reason: string; readonly since: string; readonly message: string };
  readonly metrics: readonly MetricStatus[];
  readonly measurements: readonly MeasurementStatus[];
}

export interface MetricStatus {
  readonly name: string;
  readonly passes: number;
  readonly failures: number;
  readonly inconclusive: number;
  readonly errors: number;
  readonly consecutiveErrors: number;
  readonly consecutiveSuccesses: number;
  readonly noDataSince?: string;
  readonly measuredAt?: string;
}

export interface MeasurementStatus {
  readonly metric: string;
  readonly at: string;
  readonly verdict: string;
  readonly value?: number;
  readonly note?: string;
}

const maxNameLength = 253;

/** Returns the one name that the AutoUpdate of a workload may have: `deployment-web`, with a hash if that is too long. */
export function autoUpdateName({ kind, name }: Pick<TargetRef, "kind" | "name">): string {
  const full = `${kind.toLowerCase()}-${name}`;
  if (full.length <= maxNameLength) return full;
  const hash = createHash("sha256").update(full).digest("hex").slice(0, 10);
  return `${trimEnd(full.slice(0, maxNameLength - hash.length - 1), "-.")}-${hash}`;
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

/** Identifies the target of an AutoUpdate in all namespaces, whatever the version of its API. */
export function targetKey(namespace: string, { apiVersion, kind, name }: TargetRef): string {
  return [groupOf(apiVersion), kind, namespace, name].join("/");
}

/**
 * Reports whether an AutoUpdate that Pawl created belongs to an earlier object of this name, and was not garbage collected yet: what it
 * records is not about this object.
 */
export function isStale(autoUpdate: AutoUpdate, { metadata: { uid } }: KubernetesObject): boolean {
  const { ownerReferences = [] } = autoUpdate.metadata;
  return (
    isManagedByPawl(autoUpdate) && ownerReferences.length > 0 && !ownerReferences.some((owner) => owner.uid === uid)
  );
}

export function isManagedByPawl({ metadata, spec }: AutoUpdate): boolean {
  return spec.policy === undefined && metadata.labels?.["app.kubernetes.io/managed-by"] === "pawl";
}
