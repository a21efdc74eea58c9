import { formatDuration, parseDuration } from "../../../text/duration.ts";
import { parseWeeklyWindows } from "../../../schedule/weekly-windows.ts";
import type { PolicyField, WrittenField } from "../policy-field.ts";

const minToleranceSeconds = 60;
const maxToleranceSeconds = 7 * 86_400;

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
  wave: {
    annotation: "pawl.dev/wave",
    path: "wave",
    type: "integer",
    maxLength: 16,
    label: "wave",
    description:
      "Among the workloads of a namespace that track one repository, those of a lower wave run a version before the next wave starts: a " +
      "whole number from -1000 to 1000. Default 0.",
    parse: ({ text, report }) => ({ wave: parseWave(text, report) }),
    format: ({ policy: { wave } }) => (wave === 0 ? null : String(wave)),
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

const maxWave = 1000;

function parseWave(text: string | undefined, report: Report): number {
  const written = text?.trim() ?? "";
  const wave = Number(written);
  if (written === "" || (/^-?\d+$/.test(written) && Math.abs(wave) <= maxWave)) return wave;
  report(`must be a whole number from -${maxWave} to ${maxWave}`);
  return 0;
}

function parseOnWindowEnd(text: string | undefined, report: Report): boolean {
  const written = text?.trim() ?? "";
  if (written !== "" && written !== "continue" && written !== "rollBack")
    report('is neither "continue" nor "rollBack"');
  return written === "rollBack";
}
