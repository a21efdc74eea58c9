import { formatRfc3339, parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { BackOff } from "../../../domain/workload/workload.ts";
import type { BackOffStatus } from "./status-fields.ts";

/** Returns a back-off as a status has it. */
export function toBackOffStatus({ until, execution, other, suspended, ...backOff }: BackOff): BackOffStatus {
  return {
    ...backOff,
    until: formatRfc3339(until),
    ...(other === undefined ? {} : { other: { ...other, until: formatRfc3339(other.until) } }),
    ...(suspended === undefined ? {} : { suspended: toBackOffStatus(suspended) }),
    ...(execution === null ? {} : { execution }),
  };
}

/** Reads a back-off; null if there is none, and if its end is no time. */
export function fromBackOffStatus(status: BackOffStatus | undefined): BackOff | null {
  const until = parseRfc3339(status?.until ?? "");
  if (status === undefined || until === null) return null;
  const { other, suspended: suspendedStatus, ...rest } = status;
  const suspended = fromBackOffStatus(suspendedStatus);
  const otherUntil = parseRfc3339(other?.until ?? "");
  const both = other === undefined || otherUntil === null ? {} : { other: { ...other, until: otherUntil } };
  return { execution: null, ...rest, until, ...both, ...(suspended === null ? {} : { suspended }) };
}
