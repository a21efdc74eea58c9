import type { AfterRule } from "../gates/after-policy.ts";
import type { Approval, ApprovalPolicy } from "../gates/approval.ts";
import type { Candidate } from "../gates/candidate.ts";
import type { ClosedGate } from "../gates/closed-gate.ts";
import type { ScanPolicy } from "../gates/scan.ts";
import type { Override } from "../gates/override.ts";
import type { AuditEntry } from "./audit/audit-entry.ts";
import type { WorkloadState } from "../state/state.ts";
import type { AnalysisState } from "../analysis/state.ts";
import type { Bake } from "./bake/bake.ts";
import type { CanarySize } from "./canary/canary-size.ts";
import type { JobSchedule } from "./cron-job/job-run.ts";
import type { ConfigTracking } from "./config/tracking.ts";
import type { CanaryNames } from "./canary/pod-names.ts";
import type { CanaryProgress, CanaryStep } from "./canary/canary-step.ts";
import type { NodePlatforms } from "../image/platform.ts";
import type { RawWindow } from "../schedule/maintenance-windows.ts";
import type { OptIn, RawPolicy } from "./policy/raw-policy.ts";
import type { BackOffReason } from "./update/back-off-reason.ts";
import type { Hooks } from "./hook/hook.ts";
import type { InFlight } from "./update/in-flight.ts";
import type { LastReported, RecordSource } from "./record/record-source.ts";
import type { PersonRequest, RequestAnswer } from "./request/person-request.ts";
import type { OnFailure } from "../version/select-tag.ts";
import type { DigestTracking } from "./digest/tracking.ts";
import type { Target } from "./target/target.ts";
import type { Reverts } from "./owner/set-back.ts";
import type { Releases } from "./release/release.ts";
import type { Problem } from "./policy/problem.ts";
import type { Versioning } from "../version/tag.ts";

/** Identifies one object of one cluster; a recreated object has another `uid`. */
export interface WorkloadRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export type Pin = "digest" | "tag";

/** The owner's policy, parsed from `spec.autoUpdate` or the `pawl.dev/*` annotations. */
export interface Policy {
  readonly optIn: OptIn;
  /** No new update starts; one in flight continues. */
  readonly paused: boolean;
  /** Masterminds/semver v3 grammar; null allows every release that is not a pre-release. */
  readonly versionConstraint: string | null;
  /** robfig/cron ParseStandard grammar; null is due at every poll. */
  readonly schedule: string | null;
  /** How its tags are read; null if its owner does not say: "container". */
  readonly versioning: Versioning | null;
  /** Globs of the variants to choose from, with commas; null keeps that of the running tag. */
  readonly variant: string | null;
  /** How long after a time of the schedule an update may start; null is until the next one. */
  readonly scheduleToleranceSeconds: number | null;
  /** An update starts only in one of them; at any time if there are none. */
  readonly windows: readonly RawWindow[];
  /** Those that the deployment enforces: one of each list must be open too. */
  readonly enforcedWindows?: readonly (readonly RawWindow[])[];
  /** Of the workloads of a namespace with one image, those of lower waves are updated first. */
  readonly wave: number;
  /** Whether an update that began in a window is reverted when none is open any more. */
  readonly rollsBackAtWindowEnd: boolean;
  /** A version that has existed for less is not applied yet; absent allows every age. */
  readonly minimumReleaseAgeSeconds?: number;
  /** Who must approve a version; absent if nobody. */
  readonly approval?: ApprovalPolicy;
  /** What the deployment enforces beside it. */
  readonly enforcedApprovals?: readonly ApprovalPolicy[];
  /** The workloads in which a version must have been healthy first; absent if none. */
  readonly after?: readonly AfterRule[];
  /** The findings of a scanner that hold a version; absent if none does. */
  readonly scan?: ScanPolicy;
  /** The namespaces whose workloads may wait for this one; absent is its own alone. */
  readonly visibleTo?: readonly string[];
  /** A regular expression that a tag must match; null allows every tag. */
  readonly tagPattern: string | null;
  /** Whether an image is written with the digest of its tag; absent: as the reference of the workload has it. */
  readonly pin?: Pin;
  /** The repository that names the image, by its name in the deployment; absent: the workload is patched. */
  readonly writeTo?: string;
  /** Whether nothing is applied that an enforced rule of the deployment has not verified. */
  readonly isVerifyRequired?: boolean;
  readonly healthTimeoutSeconds: number;
  readonly maxRollbacks: number;
  /** More exits of a pod's containers after it was first ready fail the update. */
  readonly maxRestarts: number;
  /** Whether older versions are tried after one that failed. */
  readonly onFailure: OnFailure;
  /** Whether an image that an owner sets back is replaced again, once per version; absent: it is kept. */
  readonly onRevert?: "reapply";
  /** Between two pods that Pawl replaces itself. */
  readonly podPauseSeconds: number;
  /** How long a configuration must not change before it restarts the workload; absent: 30 s. */
  readonly settleSeconds?: number;
  /** At most one restart for a configuration starts in this time; absent: 5 minutes. */
  readonly minimumIntervalSeconds?: number;
  /** Whether a restart for a configuration waits for the windows. */
  readonly restartsInWindows?: true;
  /** Whether a failed restart pins the images to the previous digests. */
  readonly rollsBackDigests: boolean;
  /** With which a canary begins; null updates all replicas at once, as the kind's own controller rolls them. */
  readonly canary: CanarySize | null;
  /** Of its canary; empty if that is one step, of the size `canary`. */
  readonly canarySteps: readonly CanaryStep[];
  /** Whether a newer version waits until a canary has ended; absent: it takes its place. */
  readonly onNewVersion?: "wait";
  /** What a canary is compared with, if not with the stable pods: others of the running image that started with it. */
  readonly baseline?: "sameAge";
  /** How long the canary of a Deployment serves beside new pods that are all available. */
  readonly scaleDownDelaySeconds: number;
  /** The name of an analysis, or the analysis itself; null promotes a canary as soon as it is ready. */
  readonly analysis: string | null;
  /** How many releases are kept; absent: 10. */
  readonly keptReleases?: number;
  /** null records the update as soon as all replicas are ready. */
  readonly bake: Bake | null;
  /** The targets that are notified of its events besides those that take all. */
  readonly notify: readonly string[];
  readonly hooks: Hooks;
}

/**
 * "Withdrawn": reverted without a verdict on the version, which is tried again. "HookFailed": not applied, because the hook before it
 * did not succeed. "RollbackFailed": neither a release nor the pod template before it could be restored. "Superseded": a newer version
 * took its place, because its pods failed or it was a canary.
 */
export type HistoryStatus = "Healthy" | "RolledBack" | "Withdrawn" | "HookFailed" | "RollbackFailed" | "Superseded";

export interface HistoryEntry {
  readonly version: string;
  /** When the update started: with `version` it identifies one attempt. */
  readonly appliedAt: Date;
  readonly status: HistoryStatus;
  /** Absent where the kind's own status has no field for it: a Claw, a StatefulCanary. */
  readonly image?: string;
  /** The image that it replaced. Absent if it changed none, or it is not recorded. */
  readonly previousImage?: string;
  readonly finishedAt?: Date;
  /** Why it was rolled back or withdrawn, or what was not known of a healthy one. */
  readonly reason?: string;
  readonly execution?: string;
  /** Absent if it is not recorded: it was an update to an image then, or a restart for a digest that the version has. */
  readonly kind?: Target["kind"];
  /** The number of the release that it restored, if it was a rollback on request. */
  readonly release?: number;
}

/**
 * What outlives an update: in the status of a Claw or StatefulCanary, or of the AutoUpdate of a built-in kind. Versions
 * are tags as the registry spells them.
 */
export interface UpdateRecord {
  readonly currentVersion: string | null;
  /** The highest version that a person replaced by another image, a push or a rollback: only a newer one is applied. null if there is none. */
  readonly minimumVersion: string | null;
  /** The newest version that was found, whatever the policy allows; null if the kind has no field for it, or none was found. */
  readonly availableVersion: string | null;
  /** The version that the policy allowed last. */
  readonly candidateVersion: string | null;
  readonly lastCheck: Date | null;
  readonly lastUpdate: Date | null;
  readonly rollbackCount: number;
  readonly failedVersions: readonly string[];
  readonly circuitOpen: boolean;
  /** Oldest first, at most 50. */
  readonly versionHistory: readonly HistoryEntry[];
  /** Absent before an update is finished whose policy has `onRevert: reapply`. */
  readonly reverts?: Reverts;
}

/** The state of the pods, for any kind of workload. */
export interface Rollout {
  readonly generation: number;
  readonly observedGeneration: number;
  /** The image of the pod template's container. */
  readonly image: string | null;
  readonly desiredReplicas: number;
  readonly updatedReplicas: number;
  /** Those that are available: ready for `minReadySeconds`. */
  readonly readyReplicas: number;
  /** How long a pod must be ready to be available; absent if it is at once. */
  readonly minReadySeconds?: number;
  /** Pods of earlier templates that are still running, if the kind reports them, otherwise 0. */
  readonly oldReplicas: number;
  /** Pods that terminate, of any template. Absent if there is none, or the kind or the API server does not report them. */
  readonly terminatingReplicas?: number;
  /** What its pods are counted by, if not by replicas: one on each node, or those of Jobs, which are not counted. */
  readonly podsPer?: "node" | "job";
  /** Of a CronJob. Absent if its Jobs are not to show whether its image is healthy. */
  readonly jobs?: JobSchedule;
  /** Why no further pod could be created, if the kind reports it. */
  readonly createFailure?: string;
  /** A hash of the pod template, while an update is in flight whose observation can be noted. */
  readonly template?: string;
  /** During an update, its owner changed the pod template too. */
  readonly isTemplateEdited?: true;
  /** Its controller replaces no pod of an earlier template (`OnDelete`): Pawl evicts them. */
  readonly isOnDelete?: true;
  /** Its owner has paused it: its controller rolls out no changed template. */
  readonly isPaused?: true;
  /** Of a canary within the replicas: how many of them stay stable. Absent if its owner has set another number. */
  readonly partition?: number;
  /** Of a canary in a set of its own whose replicas the stable set gives up: how many both have. */
  readonly sharedReplicas?: number;
  /** Of a canary that is added to the replicas of its workload: how many these are. */
  readonly addedTo?: number;
  /** Of a canary with a baseline of its age: the replicas of that. Absent if there is none. */
  readonly baseline?: Pick<Rollout, "desiredReplicas" | "readyReplicas">;
}

/** The attempts to reach one target. */
export interface Attempts {
  readonly target: Target;
  /** In a row, at least 1. */
  readonly attempts: number;
  readonly until: Date;
}

/** Attempts to reach `target` that ended without an observation of it. The next one starts after `until`. */
export interface BackOff extends Attempts {
  /** A version and a restart that fail in turn: what was attempted before waits too, for its own time. */
  readonly other?: Attempts;
  readonly reason: BackOffReason;
  readonly message: string;
  /** The execution that ended and still holds the claim; null if the claim was released. */
  readonly execution: string | null;
  /** Of a quarantine: the back-off before it, which continues when that ends. */
  readonly suspended?: Omit<BackOff, "suspended">;
  /** The image that ran before the attempts: another one, which a person has set, ends the back-off. Absent if it is not known. */
  readonly previousImage?: string;
}

/** One workload, read at one `resourceVersion`. */
export interface Workload {
  readonly ref: WorkloadRef;
  readonly resourceVersion: string;
  readonly record: RecordSource;
  readonly policy: Policy;
  /** The same as its owner wrote it, for people. Nothing is decided by it. */
  readonly rawPolicy: RawPolicy;
  /** Invalid or unusable settings. No update starts while there is one. */
  readonly problems: readonly Problem[];
  /**
   * The image whose repository is listed and whose spelling a new reference keeps; null for a Claw runtime without a
   * published image.
   */
  readonly source: string | null;
  /** The image that its owner or Pawl set last; null if none is set or visible. */
  readonly image: string | null;
  /** An image that its owner requests by its whole name, so that no registry is needed; null after it was tried. */
  readonly requestedImage: string | null;
  /** null if its owner does not track digests. */
  readonly digests: DigestTracking | null;
  /** Absent if changes of its configuration restart nothing. */
  readonly config?: ConfigTracking;
  /** `kubectl.kubernetes.io/restartedAt` of its pod template; null if absent or invalid. */
  readonly restartedAt: Date | null;
  /** The nodes that its pods may run on; absent if its pod template names none. */
  readonly nodes?: NodePlatforms;
  /** Pawl pinned its image to a digest, after a rollback. */
  readonly isPinnedByPawl: boolean;
  /** Where its pods find registry credentials, in its own namespace. The account's Secrets apply if the pods name none. */
  readonly pull: { readonly secrets: readonly string[]; readonly serviceAccount: string };
  readonly inFlight: InFlight | null;
  readonly updateRecord: UpdateRecord;
  /** Absent where they are not recorded: the deployment does not enable them, or the kind keeps no revisions. */
  readonly releases?: Releases;
  /** null if the last attempt was observed, or none was made. */
  readonly backOff: BackOff | null;
  /** null if the object that manages the pods does not exist. */
  readonly rollout: Rollout | null;
  /** Past the deadline, also an update without a pod has failed: k8s4claw's rule, for Claws. */
  readonly failsWithoutPods: boolean;
  /** The replicas of the canary; null if there are none. */
  readonly canary: Rollout | null;
  /** A canary remains whose update is not recorded any more: its AutoUpdate was deleted. */
  readonly isCanaryLeft: boolean;
  /** Arguments of queries about both sides. */
  readonly canaryNames: CanaryNames;
  /** How far the canary in flight has come; null if that is not recorded. */
  readonly canaryProgress: CanaryProgress | null;
  /** The measurements and verdict of the canary's analysis so far; null before its first measurement. */
  readonly analysis: AnalysisState | null;
  /** What a person asked for and was not answered; null if nothing. */
  readonly request: PersonRequest | null;
  /** The request that was answered last; null if none was. */
  readonly lastRequest: RequestAnswer | null;
  /** What a person decided about the update in flight: "continue" a pause or "promote" a canary in full, or "abort" it; null if nothing. */
  readonly verdict: "continue" | "promote" | "abort" | null;
  /** The hold and the problem that were last reported on the object. */
  readonly lastReported: LastReported;
  /** Its state as it was written last; absent before that, and if the kind has no place for it. */
  readonly evaluated?: WorkloadState;
  /** The gates that were closed at the last evaluation. */
  readonly gates?: readonly ClosedGate[];
  /** Since when it waits for a place, also while another gate is closed; null if it does not. */
  readonly queuedSince?: Date | null;
  /** The versions that waited for a gate, or passed it, at the last evaluation. */
  readonly candidates?: readonly Candidate[];
  /** What people have written about versions; whether an admission policy has checked who they are is not known here. */
  readonly approvals?: readonly Approval[];
  /** Which gates people pass with a push; likewise. */
  readonly overrides?: readonly Override[];
  /** What people did, newest last. Absent where the kind has no place for it. */
  readonly audit?: readonly AuditEntry[];
  /** The approvals that have an entry there, or had one. */
  readonly auditedApprovals?: readonly string[];
}
