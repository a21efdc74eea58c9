import { type Target, versionOfTarget } from "../target/target.ts";
import type { UpdateRecord, Workload } from "../workload.ts";

type Counted = Pick<UpdateRecord, "rollbackCount" | "circuitOpen" | "failedVersions">;

/**
 * Blames the version of a target, and counts `failures` of it: 0 if they are counted already, or do not count. Opens the circuit at their
 * maximum. A restart that a person asked for has no version of its own to blame.
 */
export function countFailure({ updateRecord, policy }: Workload, target: Target, failures: 0 | 1): Counted {
  const { failedVersions } = updateRecord;
  return {
    ...countAttempt({ updateRecord, policy }, failures),
    failedVersions: target.kind === "restart" ? failedVersions : appendUnique(failedVersions, versionOfTarget(target)),
  };
}

/** Counts an attempt whose pods failed, and blames nothing. Opens the circuit at the maximum of attempts in a row. */
export function countAttempt(
  { updateRecord, policy }: Pick<Workload, "updateRecord" | "policy">,
  failures: 0 | 1,
): Omit<Counted, "failedVersions"> {
  const rollbackCount = updateRecord.rollbackCount + failures;
  const isMaximum = failures > 0 && rollbackCount >= policy.maxRollbacks;
  return { rollbackCount, circuitOpen: updateRecord.circuitOpen || isMaximum };
}

function appendUnique(versions: readonly string[], version: string): readonly string[] {
  return version === "" || versions.includes(version) ? versions : [...versions, version];
}
