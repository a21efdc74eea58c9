import { formatDays } from "../text/duration.ts";
import { formatRfc3339 } from "../text/rfc3339.ts";
import type { Policy } from "../workload/workload.ts";
import type { ClosedGate } from "./closed-gate.ts";

/** Describes a closed gate, and how it is lifted: of commands, the page and the daily digest. */
export function describeGate(gate: ClosedGate): string {
  const { name, message, until, liftedBy } = gate;
  const end = until === undefined ? "" : `, until ${formatRfc3339(until)}`;
  return `${name}: ${message}${end}${liftedBy === undefined ? "" : `; ${describeLift(liftedBy)}`}`;
}

/** Describes who or what lifts a gate: `run "pawl retry"`, `lifted by the operator of Pawl`. */
export function describeLift(liftedBy: string): string {
  return liftedBy.startsWith("pawl ") ? `run "${liftedBy}"` : `lifted by ${liftedBy}`;
}

/** What of a policy the words of a gate depend on. */
type GatePolicy = Pick<Policy, "minimumReleaseAgeSeconds" | "windows">;

/** Describes all closed gates in a few words: `waiting: 3h of 3d age; approval 1 of 2; window opens Mon 06:00 Europe/Berlin; 7th of 41`. */
export function summarizeGates(gates: readonly ClosedGate[], policy: GatePolicy, now: Date): string {
  return gates.length === 0 ? "" : `waiting: ${gates.map((gate) => summarize(gate, policy, now)).join("; ")}`;
}

function summarize({ name, reason, message, until }: ClosedGate, policy: GatePolicy, now: Date): string {
  const zone = policy.windows[0]?.zone ?? "UTC";
  const { minimumReleaseAgeSeconds: age = 0 } = policy;
  switch (name) {
    case "minimumAge":
      return until === undefined ? reason : `${ageAt(age, until, now)} of ${formatDays(age)} age`;
    case "approval":
      return reason === "ApprovalRequired" ? approvalsOf(message) : reason;
    case "windows":
      return until === undefined ? "no window opens" : `window opens ${formatIn(zone, until, now)}`;
    case "schedule":
      return until === undefined ? "the schedule is not due" : `due ${formatIn("UTC", until, now)}`;
    case "limits":
      return /^\S+ of \d+(?= that wait)/.exec(message)?.[0] ?? message;
    case "freeze":
      return until === undefined ? message : `frozen until ${formatIn("UTC", until, now)}`;
    default:
      return message;
  }
}

/** In minutes: a second more says nothing. */
function ageAt(required: number, until: Date, now: Date): string {
  const left = Math.max(0, (until.getTime() - now.getTime()) / 1000);
  const minutes = Math.max(0, Math.floor((required - left) / 60));
  return formatDays(minutes * 60).replace(/(?<=[dh])0m0s$|(?<=m)0s$/, "");
}

/** Of `1.1.0 needs 2 approvals and has 1, by anna`. */
function approvalsOf(message: string): string {
  const found = /needs (\d+) approvals? and has (none|\d+)/.exec(message);
  return found === null ? message : `approval ${found[2] === "none" ? "0" : found[2]} of ${found[1]}`;
}

const weekMilliseconds = 7 * 86_400_000;

/** Formats a time as `Mon 06:00 Europe/Berlin`, with its date if it is a week away or more. */
function formatIn(zone: string, at: Date, now: Date): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value;
  const date = at.getTime() - now.getTime() < weekMilliseconds ? "" : ` ${of("year")}-${of("month")}-${of("day")}`;
  return `${of("weekday")}${date} ${of("hour")}:${of("minute")} ${zone}`;
}
