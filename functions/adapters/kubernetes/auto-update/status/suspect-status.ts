import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { InFlight, UpdateRollback } from "../../../../domain/workload/update/in-flight.ts";
import type { UpdateStatus } from "./status-fields.ts";

type Status = Pick<UpdateStatus, "suspect">;

/** Reads why the target of a rollback is suspected; empty if it is not. */
export function readSuspect({ suspect }: Status): Pick<UpdateRollback, "suspect"> {
  if (suspect === undefined) return {};
  const { readySince: since = "", wasReady, ...found } = suspect;
  const readySince = parseRfc3339(since);
  return { suspect: { ...found, ...(wasReady ? { wasReady } : {}), ...(readySince === null ? {} : { readySince }) } };
}

/** Returns the same as a status has it. */
export function toSuspectStatus(inFlight: InFlight): Status {
  if (inFlight.suspect === undefined) return {};
  const { readySince, ...found } = inFlight.suspect;
  return { suspect: { ...found, ...(readySince === undefined ? {} : { readySince: formatRfc3339(readySince) }) } };
}
