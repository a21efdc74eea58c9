import { type Target, versionOfTarget } from "../target/target.ts";
import type { UpdateRecord, Workload } from "../workload.ts";

type Counted = Pick<UpdateRecord, "rollbackCount" | "circuitOpen" | "failedVersions">;

/**
 * Blames the version of a target, and counts `failures` of it: 0 if they are counted already, or do not count. Opens the circuit at their
 * maximum. A restart that a person asked for has no version of its own to blame.
 */
export function countFailure({ updateRecord, policy }: Workload, target: Target, failures: 0 | 1): Counted {
  const { circuitOpen, failedVersions } = updateRecord;
  const rollbackCount = updateRecord.rollbackCount + failures;
  return {
    rollbackCount,
    circuitOpen: circuitOpen || (failures > 0 && rollbackCount >= policy.maxRollbacks),
    failedVersions: target.kind === "restart" ? failedVersions : appendUnique(failedVersions, versionOfTarget(target)),
  };
}

function appendUnique(versions: readonly string[], version: string): readonly string[] {
  return version === "" || versions.includes(version) ? versions : [...versions, version];
}
