import { abbreviateDigests } from "../../image/abbreviate-digests.ts";
import { overridesOf } from "../../gates/find-override.ts";
import { parseRfc3339, formatRfc3339, secondsBetween } from "../../text/rfc3339.ts";
import { truncate } from "../../text/summarize-list.ts";
import type { UpdateEvent } from "../event/update-event.ts";
import { recentSeconds } from "../event/recent.ts";
import { describeAnswer, describeRequest, isRefused } from "../request/person-request.ts";
import type { Change } from "../update/change.ts";
import { type AuditEntry, describeAudit, unknownPerson } from "./audit-entry.ts";
import type { Workload } from "../workload.ts";

const maxTextLength = 256;

/** Returns the entry of the request that a change answers, with the name that it gives; null if it answers none, or refuses it. */
export function auditAnswer(workload: Workload, { answer }: Change, now: Date): AuditEntry | null {
  const { request } = workload;
  if (answer === undefined || isRefused(answer) || request === null || request.token !== answer.token) return null;
  const gates = overridesOf(workload, request).flatMap((one) => one.gates);
  const overriding = gates.length === 0 ? "" : `, overriding ${gates.join(" and ")}`;
  return createEntry({
    id: answer.token,
    at: formatRfc3339(now),
    by: request.by ?? unknownPerson,
    what: `${describeRequest(request)}${overriding}`,
    ...(request.reason === undefined ? {} : { why: request.reason }),
    result: describeAnswer(answer),
  });
}

/** Bounds the texts of an entry. */
export function createEntry(entry: AuditEntry): AuditEntry {
  const { what, why, result } = entry;
  const cut = (text: string) => truncate(abbreviateDigests(text), maxTextLength);
  return {
    ...entry,
    what: cut(what),
    ...(why === undefined ? {} : { why: cut(why) }),
    ...(result === undefined ? {} : { result: cut(result) }),
  };
}

/** Returns the event of an entry. Emitted again, it is one Event. */
export function auditEvent({ request }: Pick<Workload, "request">, entry: AuditEntry): UpdateEvent {
  const version = request?.token === entry.id ? request.argument : null;
  return {
    event: "Person Acted",
    type: "Normal",
    reason: "AutoUpdateAudit",
    message: describeAudit(entry),
    key: entry.id,
    execution: null,
    version,
    image: null,
    audit: entry,
  };
}

/** Returns the Events of what people did recently: those that were lost are written again. */
export function recentAuditEvents(workload: Workload, now: Date): readonly UpdateEvent[] {
  const isRecent = ({ at }: AuditEntry) => {
    const time = parseRfc3339(at);
    return time !== null && secondsBetween(time, now) < recentSeconds;
  };
  return (workload.audit ?? []).filter(isRecent).map((entry) => auditEvent(workload, entry));
}
