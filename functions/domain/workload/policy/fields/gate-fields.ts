import type { RawWindow } from "../../../schedule/maintenance-windows.ts";
import { formatDuration, parseDuration } from "../../../text/duration.ts";
import { parseWeeklyWindows } from "../../../schedule/weekly-windows.ts";
import type { Policy } from "../../workload.ts";
import { parseStructure, parseWord } from "../parse-fields.ts";
import type { PolicyField, WrittenField } from "../policy-field.ts";
import { laterOf, shorter } from "../stricter.ts";

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
    stricter: shorter,
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
    parse: ({ value, report }) => ({ windows: parseWindows(value, report) }),
    enforcedAs: "enforcedWindows",
    format: ({ policy: { windows } }) => describeWindows(windows),
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
    parse: ({ text, report }) => ({
      rollsBackAtWindowEnd: parseWord(text, ["continue", "rollBack"], "continue", report) === "rollBack",
    }),
    stricter: laterOf("continue", "rollBack"),
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
  onRevert: {
    annotation: "pawl.dev/on-revert",
    path: "onRevert",
    type: "string",
    maxLength: 16,
    label: "when an owner sets an image back",
    description:
      "What follows when Helm, Argo CD, Flux or a person sets back an image that updates of Pawl had replaced. hold: it stays until a " +
      "newer version appears. reapply: the version is applied again, once, and not within an hour of the last time. Default hold.",
    parse: ({ text, report }) => {
      const onRevert = parseWord(text, ["hold", "reapply"], "hold", report);
      return onRevert === "hold" ? {} : { onRevert };
    },
    format: ({ policy }) => policy.onRevert ?? null,
  },
  verify: {
    annotation: "pawl.dev/verify",
    path: "verify",
    type: "boolean",
    label: "verify",
    description:
      "true: an update waits unless an enforced rule of the deployment verifies its image. The rules of the deployment apply in any case. Default false.",
    parse: ({ text, report }) =>
      parseWord(text, ["true", "false"], "false", report) === "true" ? { isVerifyRequired: true } : {},
    stricter: laterOf("false", "true"),
    format: ({ policy }) => (policy.isVerifyRequired ? "required" : null),
  },
} as const satisfies Readonly<Record<string, PolicyField>>;

/** What only a deployment says. */
export const enforcedFields = {
  enforcedWindows: {
    annotation: null,
    path: null,
    type: "json",
    label: "windows of the deployment",
    description: "",
    parse: ({ value, report }) => parseEnforcedWindows(value, report),
    format: ({ policy: { enforcedWindows = [] } }) => enforcedWindows.map(describeWindows).join(" and ") || null,
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
function parseWindows(value: unknown, report: Report): readonly RawWindow[] {
  return parseStructure(value, parseWeeklyWindows, report) ?? [];
}

function parseEnforcedWindows(value: unknown, report: Report): Pick<Policy, "enforcedWindows"> {
  if (!Array.isArray(value)) return {};
  return { enforcedWindows: value.map((windows) => parseWindows(windows, report)) };
}

function describeWindows(windows: readonly RawWindow[]): string | null {
  const described = windows.map(
    ({ schedule, durationSeconds, zone = "UTC" }) => `${schedule} ${zone} for ${formatDuration(durationSeconds)}`,
  );
  return described.join("; ") || null;
}

const maxWave = 1000;

function parseWave(text: string | undefined, report: Report): number {
  const written = text?.trim() ?? "";
  const wave = Number(written);
  if (written === "" || (/^-?\d+$/.test(written) && Math.abs(wave) <= maxWave)) return wave;
  report(`must be a whole number from -${maxWave} to ${maxWave}`);
  return 0;
}
