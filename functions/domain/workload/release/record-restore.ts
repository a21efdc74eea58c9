import { appendHistory, createHistoryEntry } from "../history.ts";
import { endBackOff } from "../back-off.ts";
import { recordDigests, restorePreviousDigests } from "../digest/record.ts";
import { isManagedChange } from "../manual-change.ts";
import { observedCurrentVersion } from "../update-record.ts";
import type { Digests } from "../digest/tracking.ts";
import type { Change } from "../change.ts";
import type { InFlight, Workload } from "../workload.ts";
import { lastSucceeded, recordRelease } from "./mint-release.ts";
import { pinsIn } from "./pin-template.ts";
import { type Release, releasesOf, type Snapshot, type TemplateSnapshot } from "./release.ts";

/** What a release is restored from, and back to if it fails. */
interface Restore {
  readonly release: Release;
  /** With its pins. */
  readonly snapshot: Snapshot;
  /** Of the pod template that runs now. */
  readonly previous: Snapshot;
  /** The digests that the tags of the release resolve to now; null if none is tracked. */
  readonly digests: Digests | null;
}

/** Records the claim and the change of a rollback that a person requested, which this answers. */
export function recordRestore(
  workload: Workload,
  { release, snapshot, previous, digests }: Restore,
  execution: string,
  now: Date,
): Change {
  const { request, rollout } = workload;
  const from = lastSucceeded(workload);
  const unavailable = rollout?.podsPer === "node" ? rollout.desiredReplicas - rollout.readyReplicas : 0;
  const inFlight = {
    targetImage: release.image,
    startedAt: now,
    execution,
    previousImage: null,
    digests,
    phase: "release",
    ...(unavailable > 0 ? { unavailableBefore: unavailable } : {}),
    release: {
      number: release.number,
      from: from?.hash === previous.hash ? from.number : null,
      hash: snapshot.hash,
      previousHash: previous.hash,
      previousRevision: previous.revision,
    },
  } as const satisfies InFlight;
  return {
    inFlight,
    ...templateChange(workload, snapshot.template),
    ...recordDigests(workload, inFlight, false),
    ...endBackOff(workload),
    updateRecord: { ...observedCurrentVersion(workload), lastUpdate: now },
    lastReported: { held: null, problem: null },
    ...(request === null
      ? {}
      : {
          answer: {
            token: request.token,
            verb: request.verb,
            result: `release ${release.number} is restored by execution ${execution}`,
          },
        }),
  };
}

/** Returns the change to a whole pod template, and which of its images are pinned by Pawl. */
export function templateChange(workload: Workload, template: TemplateSnapshot): Change {
  return { template, ...(workload.digests === null ? {} : { pins: pinsIn(template, releasesOf(workload)) }) };
}

/**
 * Records that a release failed. It is neither counted nor blamed: a person chose it. The claim stays until the template before it is
 * restored, which only the function `restore-release` may do; a template that was not written needs no restoring.
 */
export function recordReleaseFailure(
  workload: Workload,
  inFlight: InFlight,
  result: "RolledBack" | "Withdrawn",
  reason: string,
  now: Date,
): Change {
  const { updateRecord } = workload;
  const isWritten = inFlight.isApplied !== false;
  const failed = isWritten && result === "RolledBack" && isManagedChange(workload, inFlight);
  return {
    inFlight: { ...inFlight, phase: "rollback", isApplied: !isWritten, revertedAt: now },
    ...(isWritten ? {} : restorePreviousDigests(workload, inFlight)),
    ...(failed ? recordRelease(workload, "Failed", now, inFlight.release?.from) : {}),
    updateRecord: { versionHistory: appendHistory(updateRecord, createHistoryEntry(inFlight, result, now, reason)) },
    conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason }],
  };
}

/** Reports whether the template before a failed release still has to be restored. */
export function isRestorePending(inFlight: InFlight | null | undefined): boolean {
  return inFlight?.phase === "rollback" && inFlight.release !== undefined && inFlight.isApplied === false;
}

/** Reverts a failed release. If its owner has changed the template since, that stays. */
export function revertRelease(
  workload: Workload,
  inFlight: InFlight,
  template: TemplateSnapshot | null,
  now: Date,
): Change {
  const isFailedOne = workload.releases?.hash === inFlight.release?.hash;
  return {
    inFlight: { ...inFlight, isApplied: true, revertedAt: now },
    ...restorePreviousDigests(workload, inFlight),
    ...(isFailedOne && template !== null ? templateChange(workload, template) : {}),
  };
}
