import { recordedRevert } from "../update/completion.ts";
import { appendHistory, createHistoryEntry } from "../record/history.ts";
import { endBackOff } from "../update/back-off.ts";
import { recordDigests, restorePreviousDigests } from "../digest/record.ts";
import { isManagedChange } from "../decision/manual-change.ts";
import { formatRefusal } from "../request/person-request.ts";
import { observedCurrentVersion } from "../record/current-version.ts";
import { type Started, unavailablePods } from "../record/update-record.ts";
import type { Digests } from "../digest/tracking.ts";
import type { Change } from "../update/change.ts";
import { type InFlight, toRollback } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
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
): Started {
  const { request } = workload;
  const from = lastSucceeded(workload);
  const inFlight = {
    target: { kind: "release", image: release.image, number: release.number },
    startedAt: now,
    execution,
    previousImage: null,
    digests,
    phase: "release",
    ...unavailablePods(workload),
    release: {
      number: release.number,
      from: from?.hash === previous.hash ? from.number : null,
      hash: snapshot.hash,
      previousHash: previous.hash,
      previousRevision: previous.revision,
    },
  } as const satisfies InFlight;
  return {
    ...templateChange(workload, snapshot.template),
    ...recordDigests(workload, inFlight, false),
    ...endBackOff(workload),
    inFlight,
    updateRecord: { ...observedCurrentVersion(workload), lastUpdate: now },
    lastReported: { held: null, problem: null },
    ...(request === null
      ? {}
      : {
          answer: {
            token: request.token,
            verb: request.verb,
            result: `${requestedPrefix(release)}: execution ${execution}`,
          },
        }),
  };
}

function requestedPrefix({ number }: Pick<Release, "number">): string {
  return `rollback to release ${number} is requested`;
}

/** Reports whether a claim has answered a request for this release. */
function isAnswerFor(release: Pick<Release, "number">, result: string): boolean {
  return result.startsWith(requestedPrefix(release));
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
  if (inFlight.isApplied === false) return dropRestore(workload, inFlight, reason);
  const failed = result === "RolledBack" && isManagedChange(workload, inFlight);
  return {
    inFlight: toRollback(inFlight, false, now),
    ...(failed ? recordRelease(workload, "Failed", now, inFlight) : {}),
    updateRecord: {
      versionHistory: appendHistory(workload.updateRecord, createHistoryEntry(inFlight, result, now, reason)),
    },
    conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason }],
  };
}

/** Releases the claim of a release whose template was not written, and reverts what the claim recorded of it. */
export function dropRestore(workload: Workload, inFlight: InFlight, reason: string): Change {
  return { inFlight: null, ...withoutRestore(workload, inFlight, reason) };
}

/** Reverts the digests and the answer of a release whose template was not written. */
export function withoutRestore(workload: Workload, inFlight: InFlight, reason: string): Change {
  const { lastRequest } = workload;
  const { release, isApplied } = inFlight;
  if (release === undefined || isApplied !== false || inFlight.phase === "rollback") return {};
  const isAnswered = lastRequest?.verb === "rollback" && isAnswerFor(release, lastRequest.result);
  return {
    ...restorePreviousDigests(workload, inFlight),
    ...(isAnswered ? { answer: { ...lastRequest, result: formatRefusal(reason) } } : {}),
  };
}

/**
 * Records that neither the release nor the template before it could be restored: what runs stays. The circuit opens, so that nothing is
 * applied to it until a person has looked.
 */
export function recordRevertFailure(workload: Workload, inFlight: InFlight, reason: string, now: Date): Change {
  const { updateRecord } = workload;
  const { versionHistory } = updateRecord;
  const failed = recordedRevert(updateRecord, inFlight);
  const why = [failed === null ? null : versionHistory.at(-1)?.reason, reason].filter(Boolean).join("; ");
  const entry = createHistoryEntry(inFlight, "RollbackFailed", now, why);
  return {
    inFlight: toRollback(inFlight, true, now),
    updateRecord: {
      circuitOpen: true,
      versionHistory: appendHistory(
        failed === null ? updateRecord : { ...updateRecord, versionHistory: versionHistory.slice(0, -1) },
        entry,
      ),
    },
    conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "RollbackFailed", message: why }],
  };
}

/** Reports whether the template before a failed release still has to be restored. */
export function isRestorePending(inFlight: InFlight | null | undefined): boolean {
  return inFlight?.phase === "rollback" && inFlight.release !== undefined && inFlight.isApplied === false;
}

/** Reports whether what was written, and not the owner's change since, has to be reverted. */
export function isRevertNeeded({ releases }: Workload, { release }: InFlight): boolean {
  return releases?.hash === release?.hash;
}

/** Reverts a failed release to the template before it; null if its owner has changed the template since, and that stays. */
export function revertRelease(
  workload: Workload,
  inFlight: InFlight,
  template: TemplateSnapshot | null,
  now: Date,
): Change {
  return {
    inFlight: toRollback(inFlight, true, now),
    ...restorePreviousDigests(workload, inFlight),
    ...(template === null ? {} : templateChange(workload, template)),
  };
}
