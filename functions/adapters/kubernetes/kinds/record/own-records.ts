import { textOf } from "../../../../domain/workload/policy/raw-policy.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import { type AutoUpdate, isManagedByPawl } from "../../auto-update/object.ts";
import { foreignRecords, isRecordedFor, ownRecords, recordTargetOf } from "../../auto-update/status/record-target.ts";
import { isRunningRecorded } from "../../auto-update/status/running-status.ts";
import { hasConfigOptIn } from "../built-in/config-tracking.ts";
import { isTrackedByDigest } from "../digest/digest-tracking.ts";
import { primaryContainer } from "../pod-template/container.ts";
import { type BuiltInObject, rawPolicyOf } from "../pod-template/pod-template.ts";

/** Reports whether the tags of a workload are tracked: a restart alone may be wanted. */
export function isTrackedByTag(object: BuiltInObject): boolean {
  const raw = rawPolicyOf(object);
  return textOf(raw["autoUpdate"]) === "true" || !(isTrackedByDigest(raw) || hasConfigOptIn(raw));
}

export interface OwnRecords {
  readonly autoUpdate: AutoUpdate | null;
  /** Whose records were found instead; null if there were none. */
  readonly foreign: string | null;
  /** Whether the status says whose records it has, and what runs. */
  readonly isCurrent: boolean;
  /** Whether Pawl created it for this workload, which is not its owner any more. */
  readonly isOwnerless: boolean;
}

/** Returns an AutoUpdate without records of an earlier workload or repository. An update in flight belongs to where it was claimed. */
export function readOwnRecords(
  object: BuiltInObject,
  autoUpdate: AutoUpdate | null,
  claimed: InFlight | null,
): OwnRecords {
  if (autoUpdate?.status === undefined || claimed !== null) {
    return { autoUpdate, foreign: null, isCurrent: true, isOwnerless: false };
  }
  const { metadata, status } = autoUpdate;
  const image = isTrackedByTag(object) ? (primaryContainer(object)?.image ?? null) : null;
  const now = recordTargetOf(object.metadata.uid, metadata.uid, image);
  return {
    autoUpdate: { ...autoUpdate, status: ownRecords(status, now) },
    foreign: foreignRecords(status, now),
    isOwnerless:
      isManagedByPawl(autoUpdate) && (metadata.ownerReferences ?? []).length === 0 && status.target?.uid === now.uid,
    isCurrent: isRecordedFor(status, now) && isRunningRecorded(status, primaryContainer(object)?.image),
  };
}
