import { formatDuration, parseDuration } from "../../text/duration.ts";
import type { Validation } from "../../text/schema-problems.ts";
import type { Policy } from "../workload.ts";
import { suggest } from "../../text/suggest.ts";
import { type Versioning, versionings } from "../../version/tag.ts";

type Report = (reason: string) => void;

export interface HealthTimeoutRange {
  readonly minHealthTimeoutSeconds: number;
  readonly maxHealthTimeoutSeconds: number;
}

/** Each is a few hundred bytes of the status. */
const maxKeptReleases = 50;
const defaultHealthTimeoutSeconds = 600;
const defaultMaxRollbacks = 3;
const defaultMaxRestarts = 3;
const maxMaxRestarts = 100;

/** Returns the text, also if it is invalid: its problem is reported. */
export function checkField(value: string | undefined, parse: (text: string) => object, report: Report): string | null {
  if (value === undefined || value.trim() === "") return null;
  const parsed = parse(value);
  if ("kind" in parsed && parsed.kind === "invalid" && "reason" in parsed) report(String(parsed.reason));
  return value;
}

export function parseVersioning(value: string | undefined, report: Report): Versioning | null {
  if (value === undefined || value.trim() === "") return null;
  const found = versionings.find((one) => one === value.trim());
  if (found !== undefined) return found;
  const meant = suggest(value.trim(), versionings);
  report(`is neither "container" nor "semver"${meant === null ? "" : `; did you mean ${meant}?`}`);
  return null;
}

/** Anything but "false" pauses: a misspelt pause must not let an update through. */
export function parsePaused(value: string | undefined, report: Report): boolean {
  if (value === undefined || value === "false") return false;
  if (value !== "true") report('is neither "true" nor "false"');
  return true;
}

export function parseHealthTimeout(value: string | undefined, range: HealthTimeoutRange, report: Report): number {
  if (value === undefined || value === "") return defaultHealthTimeoutSeconds;
  const parsed = parseDuration(value);
  if (parsed.kind === "invalid") {
    report(parsed.reason);
    return defaultHealthTimeoutSeconds;
  }
  const { minHealthTimeoutSeconds: min, maxHealthTimeoutSeconds: max } = range;
  if (parsed.seconds >= min && parsed.seconds <= max) return parsed.seconds;
  report(`must be from ${formatDuration(min)} to ${formatDuration(max)}`);
  return defaultHealthTimeoutSeconds;
}

/** The default and the maximum of a delay, in seconds. */
interface DelayRange {
  readonly usual: number;
  readonly max: number;
}

export const podPause: DelayRange = { usual: 2, max: 3600 };
export const scaleDownDelay: DelayRange = { usual: 30, max: 600 };

export function parseDelay(value: string | undefined, { usual, max }: DelayRange, report: Report): number {
  if (value === undefined || value.trim() === "") return usual;
  const parsed = parseDuration(value.trim());
  if (parsed.kind === "duration" && parsed.seconds >= 0 && parsed.seconds <= max) return parsed.seconds;
  report(parsed.kind === "invalid" ? parsed.reason : `must be from 0s to ${formatDuration(max)}`);
  return usual;
}

/** For k8s4claw, 0 means the default. */
export function parseMaxRollbacks(value: string | undefined, allowsZero: boolean, report: Report): number {
  if (value === undefined || value === "") return defaultMaxRollbacks;
  const isWhole = /^\d{1,6}$/.test(value);
  if (isWhole && Number(value) > 0) return Number(value);
  if (!isWhole || !allowsZero) report(`must be a whole number from ${allowsZero ? 0 : 1} to 999999`);
  return defaultMaxRollbacks;
}

export function parseMaxRestarts(value: string | undefined, report: Report): number {
  if (value === undefined || value === "") return defaultMaxRestarts;
  if (/^\d{1,3}$/.test(value) && Number(value) <= maxMaxRestarts) return Number(value);
  report(`must be a whole number from 0 to ${maxMaxRestarts}`);
  return defaultMaxRestarts;
}

/** Returns the one of these words that is written. Reports another text, and returns `otherwise`: by default what no text means. */
export function parseWord<const Word extends string>(
  text: string | undefined,
  words: readonly Word[],
  byDefault: Word,
  report: Report,
  otherwise = byDefault,
): Word {
  const written = text?.trim() ?? "";
  if (written === "") return byDefault;
  const found = words.find((word) => word === written);
  if (found === undefined) report(`is neither ${words.map((word) => `"${word}"`).join(" nor ")}`);
  return found ?? otherwise;
}

/** Parses a structure. Reports one that is invalid, which counts as none. */
export function parseStructure<Value>(
  value: unknown,
  parse: (value: unknown) => Validation<Value>,
  report: Report,
): Value | null {
  if (value === undefined) return null;
  const parsed = parse(value);
  if (parsed.kind === "valid") return parsed.value;
  report(parsed.problems.map(({ reason }) => reason).join("; "));
  return null;
}

export function parseKeepReleases(value: string | undefined, report: Report): Pick<Policy, "keptReleases"> {
  if (value === undefined || value === "") return {};
  if (/^\d{1,2}$/.test(value) && Number(value) >= 2 && Number(value) <= maxKeptReleases)
    return { keptReleases: Number(value) };
  report(`must be a whole number from 2 to ${maxKeptReleases}`);
  return {};
}

export function parsePin(value: string | undefined, report: Report): Pick<Policy, "pin"> {
  if (value === undefined || value === "" || value === "auto") return {};
  if (value === "digest" || value === "tag") return { pin: value };
  report('is neither "auto" nor "digest" nor "tag"');
  return {};
}

export function parseRollback(value: string | undefined, report: Report): boolean {
  if (value === undefined || value === "" || value === "image") return false;
  if (value !== "digest") report('is neither "image" nor "digest"');
  return value === "digest";
}

/** Returns the name of a repository; an empty one is the only one of the deployment. */
export function parseWriteTo(value: string | undefined, report: Report): Pick<Policy, "writeTo"> {
  const text = value?.trim() ?? "";
  if (text === "") return {};
  const name = /^git(?:\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))?$/.exec(text);
  if (name === null) report("is neither git nor git/NAME, with the name of a repository of the deployment");
  return { writeTo: name?.[1] ?? "" };
}
