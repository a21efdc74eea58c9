import type { UpdateRecord, Workload } from "./workload.ts";

type Counted = Pick<UpdateRecord, "rollbackCount" | "circuitOpen" | "failedVersions">;

/** Blames a version, and counts `failures` of it: 0 if they are counted already, or do not count. Opens the circuit at their maximum. */
export function countFailure({ updateRecord, policy }: Workload, version: string, failures: 0 | 1): Counted {
  const { circuitOpen, failedVersions } = updateRecord;
  const rollbackCount = updateRecord.rollbackCount + failures;
  return {
    rollbackCount,
    circuitOpen: circuitOpen || (failures > 0 && rollbackCount >= policy.maxRollbacks),
    failedVersions: appendUnique(failedVersions, version),
  };
}

function appendUnique(versions: readonly string[], version: string): readonly string[] {
  return version === "" || versions.includes(version) ? versions : [...versions, version];
}
