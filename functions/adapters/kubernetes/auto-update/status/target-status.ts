import { isDigestPinned } from "../../../../domain/image/reference.ts";
import { liftTarget } from "../../../../domain/workload/target/previous-release.ts";
import { type Target, targetKey } from "../../../../domain/workload/target/target.ts";

/** What an update, or an attempt, is for. */
export interface TargetStatus {
  /** Absent if the version before this one wrote the status, or if the CRD is of it. */
  readonly target?: Target;
  /** The same for the version before this one. */
  readonly targetImage: string;
}

export function toTargetStatus(target: Target): TargetStatus {
  return { target, targetImage: targetKey(target) };
}

/** Reads a target. `isRestart` and `release` are what else says so in a status of the version before this one. */
export function fromTargetStatus(
  { target, targetImage }: TargetStatus,
  isRestart = isDigestPinned(targetImage),
  release?: number,
): Target {
  return target ?? liftTarget(targetImage, isRestart, release);
}
