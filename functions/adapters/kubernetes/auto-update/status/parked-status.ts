import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { type ParkedUpdate, parkReasons } from "../../../../domain/workload/update/parked-update.ts";
import type { UpdateStatus } from "./status-fields.ts";

/** Reads why the execution of an update sleeps. A reason of a later version counts as none: then its execution is asked about. */
export function readParked({ parked }: Pick<UpdateStatus, "parked">): { readonly parked?: ParkedUpdate } {
  const reason = parkReasons.find((one) => one === parked?.reason);
  const since = parseRfc3339(parked?.since ?? "");
  const jobs = parked?.jobs === undefined ? {} : { jobs: parked.jobs };
  return reason === undefined || since === null ? {} : { parked: { reason, since, ...jobs } };
}

/** Returns the update with another reason for which its execution sleeps; `null` for none. */
export function withParked({ parked: _before, ...update }: UpdateStatus, parked: ParkedUpdate | null): UpdateStatus {
  return parked === null ? update : { ...update, parked: { ...parked, since: formatRfc3339(parked.since) } };
}
