import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { UpdateRollback } from "../../../../domain/workload/update/in-flight.ts";
import type { UpdateStatus } from "./status-fields.ts";

/** Reads why the target of a rollback is suspected; empty if it is not. */
export function readSuspect({ suspect }: Pick<UpdateStatus, "suspect">): Pick<UpdateRollback, "suspect"> {
  if (suspect === undefined) return {};
  const { readySince: since = "", wasReady, ...found } = suspect;
  const readySince = parseRfc3339(since);
  return { suspect: { ...found, ...(wasReady ? { wasReady } : {}), ...(readySince === null ? {} : { readySince }) } };
}
