import type { Approval } from "../../gates/approval.ts";
import { approvalKey } from "../../gates/approval.ts";
import { formatRfc3339 } from "../../text/rfc3339.ts";
import type { Change } from "../update/change.ts";
import type { Workload } from "../workload.ts";
import { createEntry } from "./audit.ts";
import { type AuditEntry } from "./audit-entry.ts";

/** Adds an entry for each approval, and each rejection, that has none. Those that have one are noted until they are removed. */
export function addApprovals(workload: Workload, change: Change | null, now: Date): Change | null {
  const { approvals = [], auditedApprovals: known = [] } = workload;
  const ids = approvals.map(idOf);
  const isSame = ids.length === known.length && ids.every((id) => known.includes(id));
  if (isSame || change?.deleteRecord === true) return change;
  const audit = approvals.filter((one) => !known.includes(idOf(one))).map((one) => entryOf(one, now));
  return { ...change, ...(audit.length === 0 ? {} : { audit }), auditedApprovals: ids };
}

/** Each person decides about one version at a time. */
function idOf({ user, verdict, version, digest, skipsAge, at }: Approval): string {
  const digestPart = digest.slice(0, "sha256:".length + 12);
  return `${approvalKey(user).slice(-12)} ${verdict} ${version}@${digestPart}${skipsAge ? " skip-age" : ""} ${at}`;
}

function entryOf(approval: Approval, now: Date): AuditEntry {
  const { user, verdict, version, digest, skipsAge, message } = approval;
  return createEntry({
    id: idOf(approval),
    at: formatRfc3339(now),
    by: user,
    what: `${verdict} ${version}@${digest}${skipsAge ? ", whatever its age" : ""}`,
    ...(message === "" ? {} : { why: message }),
  });
}
