import { upstreamName } from "../../../gates/after.ts";
import { type AfterRule, parseAfter } from "../../../gates/after-policy.ts";
import { parseCommaList } from "../../../text/comma-list.ts";
import type { ApprovalPolicy } from "../../../gates/approval.ts";
import { parseApprovalPolicy } from "../../../gates/approval-policy.ts";
import { formatDays, formatDuration, parseDays, parseDuration } from "../../../text/duration.ts";
import { parseWeeklyWindows } from "../../../schedule/weekly-windows.ts";
import type { PolicyField, WrittenField } from "../policy-field.ts";

const minToleranceSeconds = 60;
const maxToleranceSeconds = 7 * 86_400;
const maxAgeSeconds = 365 * 86_400;

/** When an update may start, and whether it is ended when that time is over. */
export const gateFields = {
  scheduleTolerance: {
    annotation: "pawl.dev/schedule-tolerance",
    path: "scheduleTolerance",
    type: "string",
    maxLength: 64,
    label: "schedule tolerance",
    description:
      "How long after a time of the schedule an update may start: a Go duration from 1m to 168h. Use at least twice the interval of the " +
      "polls. Default 1h.",
    parse: ({ text, rules, report }) => ({
      scheduleToleranceSeconds: parseTolerance(text, rules.defaultToleranceSeconds, report),
    }),
    format: ({ policy: { schedule, scheduleToleranceSeconds: seconds } }) =>
      schedule === null || seconds === null ? null : formatDuration(seconds),
  },
  windows: {
    annotation: "pawl.dev/windows",
    path: "windows",
    type: "json",
    maxLength: 4096,
    label: "windows",
    description: "When an update may start: in one of these windows. Default: at any time.",
    parse: ({ value, isTooLong, report }) => parseWindows(value, isTooLong, report),
    format: ({ policy: { windows } }) =>
      windows
        .map(({ schedule, durationSeconds, zone }) => describeWindow(schedule, durationSeconds, zone))
        .join("; ") || null,
  },
  onWindowEnd: {
    annotation: "pawl.dev/on-window-end",
    path: "onWindowEnd",
    type: "string",
    maxLength: 16,
    label: "at the end of a window",
    description:
      "What happens to an update that began in a window when no window is open any more, and not all replicas are ready: continue, or " +
      "rollBack, without blame for the version. Default continue.",
    parse: ({ text, report }) => ({ rollsBackAtWindowEnd: parseOnWindowEnd(text, report) }),
    format: ({ policy }) => (policy.rollsBackAtWindowEnd ? "rolled back" : null),
  },
  minimumReleaseAge: {
    annotation: "pawl.dev/minimum-release-age",
    path: "minimumReleaseAge",
    type: "string",
    maxLength: 64,
    label: "minimum release age",
    description:
      "How old a version must be: days and a Go duration up to 365d, such as 3d or 36h. The newest version that is old enough is applied. " +
      "Default: any age.",
    parse: ({ text, isTooLong, report }) => (isTooLong ? {} : parseMinimumAge(text, report)),
    format: ({ policy: { minimumReleaseAgeSeconds: seconds } }) => (seconds === undefined ? null : formatDays(seconds)),
  },
  approval: {
    annotation: null,
    path: "approval",
    type: "json",
    maxLength: 8192,
    label: "approval",
    description: "Who must approve a version before it is applied. Default: nobody.",
    parse: ({ value, isTooLong, report }) => parseApproval(value, isTooLong, report),
    format: ({ policy: { approval } }) =>
      approval === undefined ? null : `${approval.required} of ${approval.by.join(", ")}`,
  },
  after: {
    annotation: "pawl.dev/after",
    path: "after",
    type: "json",
    maxLength: 4096,
    label: "after",
    description: "The workloads of this cluster in which a version must have been healthy first. Default: none.",
    parse: ({ value, isTooLong, report }) => parseAfterRules(value, isTooLong, report),
    format: ({ policy: { after = [] }, ref }) =>
      after.map((rule) => `${formatDays(rule.soakSeconds)} in ${upstreamName(rule, ref)}`).join("; ") || null,
  },
  visibleTo: {
    annotation: "pawl.dev/visible-to",
    path: "visibleTo",
    type: "list",
    maxLength: 1024,
    label: "visible to",
    description: "The namespaces whose workloads may wait for this one. Default: its own.",
    parse: ({ text }) => (text === undefined || text.trim() === "" ? {} : { visibleTo: parseCommaList(text) }),
    format: ({ policy: { visibleTo } }) => visibleTo?.join(", ") ?? null,
  },
} as const satisfies Readonly<Record<string, PolicyField>>;

type Report = WrittenField["report"];

function parseTolerance(text: string | undefined, defaultSeconds: number | null, report: Report): number | null {
  if (text === undefined || text.trim() === "") return defaultSeconds;
  const parsed = parseDuration(text.trim());
  const isInRange =
    parsed.kind === "duration" && parsed.seconds >= minToleranceSeconds && parsed.seconds <= maxToleranceSeconds;
  if (isInRange) return parsed.seconds;
  report(parsed.kind === "invalid" ? parsed.reason : "must be from 1m to 168h");
  return defaultSeconds;
}

/** Absent if it is 0: any age. */
function parseMinimumAge(text: string | undefined, report: Report): { readonly minimumReleaseAgeSeconds?: number } {
  if (text === undefined || text.trim() === "") return {};
  const parsed = parseDays(text.trim());
  if (parsed.kind === "invalid") report(parsed.reason);
  else if (parsed.seconds > maxAgeSeconds) report("must be at most 365d");
  else if (parsed.seconds > 0) return { minimumReleaseAgeSeconds: parsed.seconds };
  return {};
}

function parseApproval(value: unknown, isTooLong: boolean, report: Report): { readonly approval?: ApprovalPolicy } {
  if (value === undefined || isTooLong) return {};
  const parsed = parseApprovalPolicy(value);
  if (parsed.kind === "valid") return { approval: parsed.value };
  report(parsed.problems.map(({ reason }) => reason).join("; "));
  return {};
}

function parseAfterRules(
  value: unknown,
  isTooLong: boolean,
  report: Report,
): { readonly after?: readonly AfterRule[] } {
  if (value === undefined || isTooLong) return {};
  const parsed = parseAfter(value);
  if (parsed.kind === "valid") return { after: parsed.value };
  report(parsed.problems.map(({ reason }) => reason).join("; "));
  return {};
}

/** No update starts while they are invalid, because that is a problem. */
function parseWindows(value: unknown, isTooLong: boolean, report: Report) {
  if (value === undefined || isTooLong) return { windows: [] };
  const parsed = parseWeeklyWindows(value);
  if (parsed.kind === "valid") return { windows: parsed.value };
  report(parsed.problems.map(({ reason }) => reason).join("; "));
  return { windows: [] };
}

function describeWindow(schedule: string, durationSeconds: number, zone = "UTC"): string {
  return `${schedule} ${zone} for ${formatDuration(durationSeconds)}`;
}

function parseOnWindowEnd(text: string | undefined, report: Report): boolean {
  const written = text?.trim() ?? "";
  if (written !== "" && written !== "continue" && written !== "rollBack")
    report('is neither "continue" nor "rollBack"');
  return written === "rollBack";
}
