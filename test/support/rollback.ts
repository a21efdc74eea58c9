import {
  type InFlight,
  type ReleaseRollback,
  type ReleaseUpdate,
  toRollback,
  type UpdateRollback,
} from "../../functions/domain/workload/update/in-flight.ts";
import { noon } from "./workloads.ts";

type Parts = Partial<Omit<UpdateRollback, "phase" | "target" | "release">>;

/** Returns the rollback of an update that is recorded as that of a kind without a field for its time, with the given differences. */
export function rollbackOf(update: ReleaseUpdate, parts?: Parts): ReleaseRollback;
export function rollbackOf(update: Exclude<InFlight, ReleaseUpdate | ReleaseRollback>, parts?: Parts): UpdateRollback;
export function rollbackOf(update: InFlight, parts: Parts = {}): InFlight {
  const { revertedAt: _at, isApplied: _isApplied, ...rollback } = toRollback(update, true, noon);
  const claim = { ...rollback, ...(update.isApplied === undefined ? {} : { isApplied: update.isApplied }), ...parts };
  return claim as InFlight;
}
