import { formatImageReference, isSameRepository, parseImageReference } from "../../../../domain/image/reference.ts";
import type { RecordTarget } from "./record-fields.ts";
import type { AutoUpdateStatus } from "./status-fields.ts";

/** Returns what records of now are about. `image` is that of the container that is tracked. */
export function recordTargetOf(uid: string, recordUID: string, image: string | null): RecordTarget {
  const parsed = parseImageReference(image ?? "");
  if ("kind" in parsed) return { uid, recordUID };
  return { uid, recordUID, repository: formatImageReference({ ...parsed, tag: null, digest: null }) };
}

/** Reports whether the records say that they are about this. */
export function isRecordedFor({ target }: AutoUpdateStatus, now: RecordTarget): boolean {
  return target?.uid === now.uid && target.recordUID === now.recordUID && !hasMoved(target, now);
}

function hasMoved({ repository }: RecordTarget, now: RecordTarget): boolean {
  return repository !== undefined && now.repository !== undefined && !isSameRepository(repository, now.repository);
}

/** Returns whose records a status has, if these are not of this workload any more; null if they are. */
export function foreignRecords({ target }: AutoUpdateStatus, now: RecordTarget): string | null {
  if (target === undefined) return null;
  const isRestored = target.recordUID !== now.recordUID;
  if (target.uid !== now.uid && !isRestored) return "an earlier workload of this name";
  return hasMoved(target, now) ? `the repository ${target.repository}` : null;
}

/**
 * Returns the status with which the records of a workload start again: without those of another one, or of another repository. The failed
 * versions of a repository that it has left count again if it returns there.
 */
export function ownRecords(status: AutoUpdateStatus, now: RecordTarget): AutoUpdateStatus {
  if (foreignRecords(status, now) === null) return status;
  const { target, conditions, lastRequest, audit, auditedApprovals, earlier, failedVersions = [] } = status;
  const isMoved = target !== undefined && target.uid === now.uid;
  const left =
    isMoved && target.repository !== undefined ? { repository: target.repository, failedVersions } : undefined;
  const isBack = isMoved && earlier !== undefined && isSameRepository(earlier.repository, now.repository ?? "");
  return {
    ...(conditions === undefined ? {} : { conditions }),
    ...(lastRequest === undefined ? {} : { lastRequest }),
    ...(audit === undefined ? {} : { audit }),
    ...(auditedApprovals === undefined ? {} : { auditedApprovals }),
    ...(left === undefined ? {} : { earlier: left }),
    ...(isBack ? { failedVersions: earlier.failedVersions } : {}),
  };
}
