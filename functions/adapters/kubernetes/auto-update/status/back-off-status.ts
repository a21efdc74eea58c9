import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { Attempts, BackOff } from "../../../../domain/workload/workload.ts";
import { toStored } from "./stored.ts";
import type { AttemptsStatus, BackOffStatus } from "./status-fields.ts";

/** Returns a back-off as a status has it. */
export function toBackOffStatus({ execution, other, suspended, ...backOff }: BackOff): BackOffStatus {
  return {
    ...backOff,
    until: formatRfc3339(backOff.until),
    ...(other === undefined ? {} : { other: toStored(other) }),
    ...(suspended === undefined ? {} : { suspended: toBackOffStatus(suspended) }),
    ...(execution === null ? {} : { execution }),
  };
}

/** Reads a back-off; null if there is none, and if its end is no time. */
export function fromBackOffStatus(status: BackOffStatus | undefined): BackOff | null {
  if (status === undefined) return null;
  const { other: otherStatus, suspended: suspendedStatus, ...rest } = status;
  const own = fromAttemptsStatus(status);
  const other = fromAttemptsStatus(otherStatus);
  const suspended = fromBackOffStatus(suspendedStatus);
  if (own === null) return null;
  return {
    execution: null,
    ...rest,
    ...own,
    ...(other === null ? {} : { other }),
    ...(suspended === null ? {} : { suspended }),
  };
}

function fromAttemptsStatus(status: AttemptsStatus | undefined): Attempts | null {
  const until = parseRfc3339(status?.until ?? "");
  if (status === undefined || until === null || !("target" in status)) return null;
  return { target: status.target, attempts: status.attempts, until };
}
