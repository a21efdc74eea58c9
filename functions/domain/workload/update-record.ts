import { recordDigests, restorePreviousDigests, rollbackPins } from "./digest/record.ts";
import { isDigestPinned, isSameImage, tagOf, versionOf } from "../image/reference.ts";
import { isRollbackRecorded } from "./completion.ts";
import { appendHistory, createHistoryEntry } from "./history.ts";
import { higherVersion, parseVersion } from "../version/version.ts";
import type { Digests } from "./digest/tracking.ts";
import type { Change, InFlight, UpdateRecord, Workload } from "./workload.ts";

export const emptyUpdateRecord: UpdateRecord = {
  currentVersion: null,
  availableVersion: null,
  lastCheck: null,
  lastUpdate: null,
  rollbackCount: 0,
  failedVersions: [],
  circuitOpen: false,
  versionHistory: [],
};

type Started = Change & { readonly inFlight: InFlight };

/** The target of an update. */
export interface UpdateTarget {
  readonly image: string;
  /** Its tag is running already: only its digest is new. */
  readonly isRestart?: boolean;
  /** The digests of the tracked containers' tags; null if none is tracked by digest. */
  readonly digests?: Digests | null;
}

/**
 * Records the claim and the change: sets `image`, names `execution` as the holder and keeps the previous image.
 * Repeated by the execution that holds the claim, it keeps the claim.
 */
export function recordStart(workload: Workload, target: UpdateTarget, execution: string, now: Date): Started {
  const { image, isRestart = false } = target;
  const version = versionOf(image);
  const claimed = workload.inFlight?.execution === execution ? workload.inFlight : null;
  const inFlight = claimed ?? createInFlight(workload, target, execution, now);
  return {
    // The holder of the claim has restarted it, and a person may have restarted it again since.
    ...(isRestart ? restartAt(claimed, now) : { image }),
    inFlight,
    ...recordDigests(workload, inFlight, claimed !== null),
    updateRecord: {
      ...initialCurrentVersion(withPreviousImage(workload, claimed)),
      availableVersion: version,
      lastCheck: now,
      lastUpdate: now,
    },
    conditions: [
      {
        type: "AutoUpdateAvailable",
        status: "True",
        reason: "NewVersionFound",
        message: `Version ${version} is available`,
      },
      { type: "AutoUpdateInProgress", status: "True", reason: "UpdateStarted", message: `Updating to ${version}` },
    ],
    lastReported: { held: null, problem: null },
    ...answerPush(workload, version, execution),
  };
}

/** A person's push is answered by the claim, so that it is not applied twice. */
function answerPush({ request }: Workload, version: string, execution: string): Pick<Change, "answer"> {
  if (request?.verb !== "push" || request.argument !== version) return {};
  const { token, verb } = request;
  return { answer: { token, verb, result: `${version} is applied by execution ${execution}` } };
}

function restartAt(claimed: InFlight | null, now: Date): Pick<Change, "restart"> {
  if (claimed === null) return { restart: now };
  const isPending = claimed.isApplied === false && claimed.startedAt !== "malformed";
  return isPending ? { restart: claimed.startedAt as Date } : {};
}

/** Records the target as current: counters start again and the circuit closes. The list of failed versions stays. */
export function recordSuccess(workload: Workload, inFlight: InFlight, now: Date): Change {
  const version = versionOf(inFlight.targetImage);
  const { currentVersion } = workload.updateRecord;
  // After a person's push of an older version, only what is newer than the last version is applied.
  const current =
    inFlight.phase === "restart"
      ? currentVersionAfterRestart(workload)
      : (higherVersion(currentVersion, tagOf(inFlight.targetImage)) ?? tagOf(inFlight.targetImage));
  return {
    inFlight: null,
    updateRecord: {
      ...(current === "" ? {} : { currentVersion: current }),
      rollbackCount: 0,
      circuitOpen: false,
      versionHistory: appendHistory(workload.updateRecord, createHistoryEntry(inFlight, "Healthy", now)),
    },
    conditions: [
      { type: "AutoUpdateAvailable", status: "False", reason: "UpToDate", message: `Running ${version}` },
      { type: "AutoUpdateInProgress", status: "False", reason: "UpdateComplete", message: `Updated to ${version}` },
    ],
    lastReported: { held: null, problem: null },
  };
}

/**
 * A restart moves no tag, and may be for another container than the one tracked by tag: a manually chosen version
 * stays.
 */
function currentVersionAfterRestart({ source, image, updateRecord }: Workload): string {
  return source === null ? tagOf(image ?? "") : (updateRecord.currentVersion ?? "");
}

/** Restores the previous image, blames the target version and counts it, once even if repeated. */
function recordFailure(workload: Workload, inFlight: InFlight, reason: string, now: Date, isAborted: boolean): Change {
  const { updateRecord, policy } = workload;
  const isRecorded = isRollbackRecorded(updateRecord, inFlight);
  const version = versionOf(inFlight.targetImage);
  const rollbackCount = updateRecord.rollbackCount + (isRecorded || isAborted ? 0 : 1);
  return {
    ...restorePrevious(workload, inFlight),
    ...pinPrevious(workload, inFlight),
    updateRecord: {
      rollbackCount,
      circuitOpen: updateRecord.circuitOpen || (!isAborted && rollbackCount >= policy.maxRollbacks),
      failedVersions: appendUnique(updateRecord.failedVersions, version),
      versionHistory: isRecorded
        ? updateRecord.versionHistory
        : appendHistory(updateRecord, createHistoryEntry(inFlight, "RolledBack", now, reason)),
    },
    conditions: [rolledBackCondition(reason)],
    ...(workload.request?.verb === "abort" && inFlight.phase === "canary"
      ? { answer: { token: workload.request.token, verb: "abort", result: "the canary is removed" } }
      : {}),
  };
}

/**
 * Records the rollback of an update: counted, blamed and reverted in one change; `inFlight: null` follows it. An
 * aborted update is blamed, so that it is not tried again, but not counted towards the circuit.
 */
export function recordRollback(
  workload: Workload,
  inFlight: InFlight,
  reason: string,
  now: Date,
  isAborted = false,
): Change {
  if (!workload.policy.enabled) return recordCancellation(workload, inFlight, reason);
  return recordFailure(workload, inFlight, reason, now, isAborted || workload.verdict === "abort");
}

/** The owner disabled auto-update during the update: restores the previous image, and blames no version. */
function recordCancellation(workload: Workload, inFlight: InFlight, reason: string): Change {
  return { ...restorePrevious(workload, inFlight), conditions: [rolledBackCondition(reason)] };
}

/** Records the manual reset of a circuit: counting starts again; failed versions are kept unless `forgetFailed`. */
export function recordReset(forgetFailed: boolean): Change {
  return {
    updateRecord: { circuitOpen: false, rollbackCount: 0, ...(forgetFailed ? { failedVersions: [] } : {}) },
    lastReported: { held: null },
  };
}

/** Once claimed, the workload has the target in place of the previous image. */
function withPreviousImage(workload: Workload, claimed: InFlight | null): Workload {
  return claimed === null ? workload : { ...workload, image: claimed.previousImage, rollout: null };
}

function createInFlight(workload: Workload, target: UpdateTarget, execution: string, startedAt: Date): InFlight {
  const { image: targetImage, isRestart = false, digests = null } = target;
  const common = { targetImage, startedAt, execution, digests };
  // A restart changes no image, so there is none to restore.
  if (isRestart) return { ...common, previousImage: null, phase: "restart" };
  return { ...common, previousImage: workload.image, phase: "rollout" };
}

/** Returns the current version of a workload before its first update: the tag that it runs. */
export function initialCurrentVersion(workload: Workload): Partial<UpdateRecord> {
  if (workload.updateRecord.currentVersion !== null) return {};
  const tag = tagOf(runningImage(workload) ?? "");
  return parseVersion(tag) === null ? {} : { currentVersion: tag };
}

/** Returns the image that the workload runs, or requests, as far as the cluster reports it. */
export function runningImage(workload: Workload): string | null {
  return workload.image ?? workload.rollout?.image ?? null;
}

/** A restart has no image to restore, but digests, if they are known and its owner allows it. */
function pinPrevious(workload: Workload, { phase }: InFlight): Pick<Change, "pins"> {
  const pins = phase === "restart" && workload.policy.rollsBackDigests ? rollbackPins(workload) : {};
  return Object.keys(pins).length === 0 ? {} : { pins };
}

/** Returns the digests that are recorded already: kubernetes-image-updater reads them on the workload. */
function recordedDigests({ digests }: Workload): Pick<Change, "digests"> {
  const deployed = digests?.deployed ?? {};
  return Object.keys(deployed).length === 0 ? {} : { digests: { deployed } };
}

/** Restores what a rollback recorded and did not restore before its execution ended. A manual change stays. */
export function resumeRollback(workload: Workload, inFlight: InFlight): Change {
  const { targetImage, previousImage } = inFlight;
  const isTarget = workload.image !== null && isSameImage(workload.image, targetImage);
  return {
    inFlight: { ...inFlight, isApplied: true },
    ...(isTarget && previousImage !== null ? { image: previousImage } : {}),
    ...(isDigestPinned(targetImage) ? pinPrevious(workload, { ...inFlight, phase: "restart" }) : {}),
    ...recordedDigests(workload),
    canary: null,
  };
}

/** Restores the image at once; the claim stays until the failed image's pods are cleaned up. */
function restorePrevious(workload: Workload, inFlight: InFlight): Change {
  const rollback: InFlight = { ...inFlight, phase: "rollback", isApplied: true };
  if (inFlight.phase === "restart") return { inFlight: rollback };
  return {
    image: inFlight.previousImage,
    inFlight: rollback,
    ...(inFlight.phase === "canary" ? { canary: null } : restorePreviousDigests(workload, inFlight)),
  };
}

function appendUnique(versions: readonly string[], version: string): readonly string[] {
  return version === "" || versions.includes(version) ? versions : [...versions, version];
}

function rolledBackCondition(reason: string) {
  return { type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason } as const;
}
