import type { Freezes } from "../domain/gates/freeze.ts";
import type { Override } from "../domain/gates/override.ts";
import type { Evidence } from "../domain/health/evidence.ts";
import type { ObservedPod } from "../domain/health/observed-pod.ts";
import type { ConfigTracking, ObservedConfig } from "../domain/workload/config/tracking.ts";
import type { OwnedImage } from "../domain/workload/owner/coexistence.ts";
import type { Snapshot } from "../domain/workload/release/release.ts";
import type { ContainerDigest, Digests } from "../domain/workload/digest/tracking.ts";
import type { Change } from "../domain/workload/update/change.ts";
import type { HookJob } from "../domain/workload/hook/hook.ts";
import type { JobRun } from "../domain/workload/cron-job/job-run.ts";
import type { Workload, WorkloadRef } from "../domain/workload/workload.ts";
import type { PersonRequest } from "../domain/workload/request/person-request.ts";
import type { RolledPod } from "../domain/workload/on-delete/pod.ts";
import type { PullLogins } from "./registry.ts";

/** What a person overrides with a push, of this digest. */
export type RequestedOverride = Pick<Override, "gates" | "digest" | "at">;

/** A Kubernetes Event. Events of one object with the same reason and `key` are written once, so that steps can be retried. */
export interface KubernetesEvent {
  readonly type: "Normal" | "Warning";
  /** UpperCamelCase, at most 128 characters. */
  readonly reason: string;
  readonly message: string;
  readonly key: string;
}

/** Unavailable pods of a workload, or of its canary in flight. */
export interface PodCounts {
  /** Their images are not the cause: no node takes them, or their node does not answer. */
  readonly excused: number;
  /** Pods of the update whose version is the cause: of those in `evidence`. */
  readonly failing: number;
  /** Pods of the update in flight in which a container has exited with an error. */
  readonly crashed: number;
  /** Each pod of the update that is neither ready nor excused, or in which a container has exited with an error. */
  readonly evidence: readonly Evidence[];
  /** Each pod that has failed by itself since the update began, of the version before it; in a rollback of the one restored. */
  readonly control: readonly Evidence[];
  /** Each pod of the update that nobody deletes. */
  readonly pods: readonly ObservedPod[];
}

/**
 * "refused": a PodDisruptionBudget does not allow it yet, or admission denies it; the reason is the server's message.
 */
export type Eviction =
  | { readonly kind: "evicted" | "not-found" }
  /** `isBudget`: by a PodDisruptionBudget, and not by admission. */
  | { readonly kind: "refused"; readonly reason: string; readonly isBudget?: true };

/** The Job of a hook. */
export interface HookJobSpec {
  readonly name: string;
  /** The CronJob, in the namespace of the workload, whose template it has. */
  readonly template: string;
  /** Kubernetes ends it then, or earlier if its template says so. */
  readonly deadlineSeconds: number;
  /** Environment variables of every container. */
  readonly variables: Readonly<Record<string, string>>;
  /** The image that containers of the same repository run; null leaves that of the template. */
  readonly image: string | null;
  /** The uid of the Job, if it is known. */
  readonly uid: string | null;
  /** How long it is kept after its end, unless its template says so; a day if absent. */
  readonly keptSeconds?: number;
}

/** "refused": the Job cannot be created, or another Job has its name. "waiting": its CronJob forbids two at a time, and another one runs. */
export type HookStart =
  | { readonly kind: "started"; readonly uid: string }
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Returns what was read before under this key, or reads it. */
export type Remember = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>;

export type OnSkipped = (denial: Error) => void;

/** A list that several processes make, one after the other. */
export interface ListSteps {
  /** Reads what the process before kept, again for each call; null for the first. */
  readonly from: (() => AsyncIterable<string>) | null;
  /** Asked after each page, and before the next list: whether the list is to stop. */
  isDue(): boolean;
  /** Receives what the next process needs, in lines, instead of the rest of the workloads. They are valid until the list ends. */
  onInterrupted(lines: Iterable<string>): void;
}

/** The name of the ConfigMap with the freezes, which is beside the Lease of the polls, and of its key. */
export const freezeName = "pawl-freeze";
export const freezeKey = "freeze.yaml";

/** `text` is null if there is no such ConfigMap, or it has no such key. */
export type FreezeText = (
  | { readonly kind: "text"; readonly text: string | null }
  | { readonly kind: "unreadable"; readonly reason: string }
) & {
  /** Those that the deployment orders, and its calendars. */
  readonly ofDeployment?: Freezes;
  /** How much the clock of the API server is ahead of that of this machine; negative if it is behind. */
  readonly serverAheadSeconds?: number;
};

/** A workload without its uid. */
export interface NamedWorkload extends Pick<WorkloadRef, "kind" | "namespace" | "name"> {
  /** The name of a peer; null or absent is this cluster. */
  readonly cluster?: string | null;
}

/**
 * The workloads of one Kubernetes cluster.
 * Every method may throw `Unreachable` (no answer, or a 5xx), `Throttled` (429) or `Forbidden` (401, 403). `change` and
 * `deleteStuckPods` throw `AdmissionDenied` if the cluster refuses a write.
 */
export interface Cluster {
  /** The name of the cluster in events, logs and inputs of executions. */
  readonly name: string;

  /**
   * Lists every workload that opted in or has an update in flight. Calls `onSkipped` for each kind and namespace that Pawl must
   * not list, for each object that cannot be parsed, and once if the CRD of AutoUpdate is not installed; lists all others. Throws
   * what it would be called with if it is absent, and `Forbidden` if no kind can be listed. Of the updates before the last, `versionHistory` has only the version, the start and the
   * result, because a poll keeps thousands of workloads. With `steps` it stops when that is due: the steps together list each workload once.
   */
  list(onSkipped?: OnSkipped, steps?: ListSteps): AsyncIterable<Workload>;

  /** Reads the workload; null if it was deleted or recreated. */
  read(ref: WorkloadRef): Promise<Workload | null>;

  /** The peers in which a failure of the workload of the same name holds a version; none if absent. */
  readonly haltPeers?: readonly string[];

  /** Reads a workload of a built-in kind by its name, in this cluster or in a peer; null if it does not exist. Throws `Forbidden` for a name that is no peer. */
  readNamed(named: NamedWorkload): Promise<Workload | null>;

  /**
   * Writes the change at the resourceVersions of the workload and of its record that were read. Throws `Conflict`, and writes
   * nothing, if either has changed before the first write. If the workload changes between two writes, `Conflict` follows the first:
   * a claim may be in the record then, read as not applied, and the step repeats it.
   */
  change(workload: Workload, change: Change): Promise<void>;

  /**
   * Writes `pawl.dev/request` where the record of the workload is, with the name by which the API server knows the person: a person's
   * change. The next poll, or the execution of a canary, answers it in `lastRequest`. Throws `Conflict` if the record does not exist, and
   * if it has changed since it was read.
   */
  request(workload: Workload, request: PersonRequest, override?: RequestedOverride): Promise<void>;

  /**
   * Deletes pods of a StatefulSet that are not ready and of another revision than its template: no controller would. With
   * `before`, only those that have not been ready since then; without, none until the controller has observed the template. While all
   * replicas are available, deletes one pod of the target below the partition of a canary too. Throws `Conflict` while the operator of a Claw still has to restore the image of a rollback.
   */
  deleteStuckPods(workload: Workload, before: Date | null): Promise<void>;

  /** Reads the digests that the containers of the workload's pods run, init containers included. Skips terminating pods. */
  runningDigests(workload: Workload): Promise<readonly ContainerDigest[]>;

  /** Counts the pods of the workload, or of its canary in flight, that are unavailable, by what their cause is. */
  countUnavailablePods(workload: Workload): Promise<PodCounts>;

  /** Lists the Jobs that a CronJob owns, those of persons too, with the pods of those that failed during the update in flight. */
  listJobs(workload: Workload): Promise<readonly JobRun[]>;

  /** Lists the pods of a workload whose pods Pawl replaces. */
  listPods(workload: Workload): Promise<readonly RolledPod[]>;

  /** Evicts a pod of the workload, only the one of this uid, so that PodDisruptionBudgets hold. */
  evictPod(workload: Workload, pod: Pick<RolledPod, "name" | "uid">): Promise<Eviction>;

  /** Reads the workload's pull secrets; none if Pawl is not configured to read them. Ignores missing ones. */
  pullSecrets(workload: Workload): Promise<PullLogins>;

  /** Reads the pod templates that the controller of a workload keeps, with these pins, newest first; none for a CronJob. */
  readSnapshots(workload: Workload, pins?: Digests): Promise<readonly Snapshot[]>;

  /**
   * Reads the images that a workload ran, as controllers keep them: in its revisions, in those of a StatefulSet that it owns, or in the Jobs of a
   * CronJob. Who can write the record of a workload cannot add to them.
   */
  imagesThatRan(workload: Workload): Promise<readonly string[]>;

  /** Reads the configuration that is tracked in a namespace: content only if its resourceVersion is not recorded. */
  readConfig(namespace: string, config: ConfigTracking, remember: Remember): Promise<ObservedConfig>;

  /** Reads a named analysis: a ConfigMap of the workload's namespace, or a template of Argo Rollouts. null if it does not exist. */
  readAnalysis(workload: Workload, name: string): Promise<string | null>;

  /** Reads who sets the image of a workload again beside Pawl; null if nobody is known to, and for a kind with an operator of its own. */
  readOwner(workload: Workload): Promise<OwnedImage | null>;

  /** Reads the freezes of the cluster, as a person wrote them. Throws `Unreachable` and `Throttled`. */
  readFreeze(): Promise<FreezeText>;

  /** Returns why nothing proves who wrote an approval, or a request; null if an admission policy does. Throws `Unreachable` and `Throttled`. */
  identityProblem(of: "approvals" | "requests"): Promise<string | null>;

  /** Returns why no Job can be created from this CronJob; null if one can. */
  jobProblem(workload: Workload, spec: Pick<HookJobSpec, "template" | "image">): Promise<string | null>;

  /** Creates the Job of a hook, or of a metric, unless it exists. */
  startHook(workload: Workload, spec: HookJobSpec): Promise<HookStart>;

  /** Reads the Job of a hook and, once it has ended, the last lines of its log. */
  readHook(workload: Workload, spec: Pick<HookJobSpec, "name" | "uid">): Promise<HookJob>;

  /** Deletes the Job of a hook, only the one of this uid: it may still start. */
  stopHook(workload: Workload, spec: Pick<HookJobSpec, "name" | "uid">): Promise<void>;

  /** Writes a Kubernetes Event about the ConfigMap of the freezes, likewise. */
  emitFreezeEvent(announcement: KubernetesEvent): Promise<void>;

  /** Writes a Kubernetes Event, once per reason and key. */
  emitEvent(workload: Workload, announcement: KubernetesEvent): Promise<void>;
}
