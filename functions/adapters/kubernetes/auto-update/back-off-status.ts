import { formatRfc3339, parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { BackOff } from "../../../domain/workload/workload.ts";
import type { BackOffStatus } from "./status-fields.ts";

/** Returns a back-off as a status has it. */
export function toBackOffStatus({ until, execution, ...backOff }: BackOff): BackOffStatus {
  return { ...backOff, until: formatRfc3339(until), ...(execution === null ? {} : { execution }) };
}

/** Reads a back-off; null if there is none, and if its end is no time. */
export function fromBackOffStatus(status: BackOffStatus | undefined): BackOff | null {
  const until = parseRfc3339(status?.until ?? "");
  return status === undefined || until === null ? null : { execution: null, ...status, until };
}
