import { formatDuration, parseDuration } from "../../text/duration.ts";
import type { Policy } from "../workload.ts";

/** The fields of one value each. */
type PolicyField =
  | "paused"
  | "versionConstraint"
  | "schedule"
  | "tagPattern"
  | "healthTimeout"
  | "podPause"
  | "maxRollbacks"
  | "keepReleases"
  | "rollback";

type ReportProblem = (field: PolicyField, value: string, reason: string) => void;

export interface HealthTimeoutRange {
  readonly minHealthTimeoutSeconds: number;
  readonly maxHealthTimeoutSeconds: number;
}

/** Each is a few hundred bytes of the status. */
const maxKeptReleases = 50;
const defaultHealthTimeoutSeconds = 600;
const defaultMaxRollbacks = 3;
const defaultPodPauseSeconds = 2;
const maxPodPauseSeconds = 3600;

export function parseField(
  field: PolicyField,
  value: string | undefined,
  parse: (text: string) => object,
  reportProblem: ReportProblem,
): string | null {
  if (value === undefined || value.trim() === "") return null;
  const parsed = parse(value);
  if ("kind" in parsed && parsed.kind === "invalid" && "reason" in parsed)
    reportProblem(field, value, String(parsed.reason));
  return value;
}

/** Anything but "false" pauses: a misspelt pause must not let an update through. */
export function parsePaused(value: string | undefined, reportProblem: ReportProblem): boolean {
  if (value === undefined || value === "false") return false;
  if (value !== "true") reportProblem("paused", value, 'is neither "true" nor "false"');
  return true;
}

export function parseHealthTimeout(
  value: string | undefined,
  range: HealthTimeoutRange,
  reportProblem: ReportProblem,
): number {
  if (value === undefined || value === "") return defaultHealthTimeoutSeconds;
  const parsed = parseDuration(value);
  if (parsed.kind === "invalid") {
    reportProblem("healthTimeout", value, parsed.reason);
    return defaultHealthTimeoutSeconds;
  }
  const { minHealthTimeoutSeconds: min, maxHealthTimeoutSeconds: max } = range;
  if (parsed.seconds >= min && parsed.seconds <= max) return parsed.seconds;
  reportProblem("healthTimeout", value, `must be from ${formatDuration(min)} to ${formatDuration(max)}`);
  return defaultHealthTimeoutSeconds;
}

export function parsePodPause(value: string | undefined, reportProblem: ReportProblem): number {
  if (value === undefined || value.trim() === "") return defaultPodPauseSeconds;
  const parsed = parseDuration(value.trim());
  if (parsed.kind === "duration" && parsed.seconds >= 0 && parsed.seconds <= maxPodPauseSeconds) return parsed.seconds;
  reportProblem("podPause", value, parsed.kind === "invalid" ? parsed.reason : "must be from 0s to 1h");
  return defaultPodPauseSeconds;
}

/** 0 means the default, as it does for k8s4claw. */
export function parseMaxRollbacks(value: string | undefined, reportProblem: ReportProblem): number {
  if (value === undefined || value === "") return defaultMaxRollbacks;
  if (/^\d{1,6}$/.test(value)) return Number(value) || defaultMaxRollbacks;
  reportProblem("maxRollbacks", value, "must be a whole number, 0 or more");
  return defaultMaxRollbacks;
}

export function parseKeepReleases(
  value: string | undefined,
  reportProblem: ReportProblem,
): Pick<Policy, "keptReleases"> {
  if (value === undefined || value === "") return {};
  if (/^\d{1,2}$/.test(value) && Number(value) >= 2 && Number(value) <= maxKeptReleases)
    return { keptReleases: Number(value) };
  reportProblem("keepReleases", value, `must be a whole number from 2 to ${maxKeptReleases}`);
  return {};
}

export function parseRollback(value: string | undefined, reportProblem: ReportProblem): boolean {
  if (value === undefined || value === "" || value === "image") return false;
  if (value !== "digest") reportProblem("rollback", value, 'is neither "image" nor "digest"');
  return value === "digest";
}
