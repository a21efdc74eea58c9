import { type ParseError, invalid } from "./parse-error.ts";

export interface Duration {
  readonly kind: "duration";
  readonly seconds: number;
}

const nanosecondsPer: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** The largest int64, in which Go counts nanoseconds: about 292 years. */
const maxNanoseconds = 9_223_372_036_854_775_807n;

/**
 * Parses a duration as Go's `time.ParseDuration` does: `10m`, `1h30m`, `1.5h`, `-90s`, `0`. A number needs its unit.
 */
export function parseDuration(text: string): Duration | ParseError {
  const amount = text.replace(/^[-+]/, "");
  if (amount === "0") return { kind: "duration", seconds: 0 };
  let nanoseconds = 0n;
  for (const part of amount.split(/(?<=[^\d.])(?=[\d.])/)) {
    const parsed = parsePart(part);
    if (typeof parsed !== "bigint") return parsed;
    nanoseconds += parsed;
  }
  if (nanoseconds > maxNanoseconds) return invalid(text, "is too long: the limit is 292 years");
  const seconds = Number(nanoseconds) / 1e9;
  return { kind: "duration", seconds: text.startsWith("-") ? -seconds : seconds };
}

/** Parses a duration of 0 or more that may begin with days of 24 hours: `3d`, `1d12h`, `36h`. */
export function parseDays(text: string): Duration | ParseError {
  const [, days = "0", rest = ""] = /^(?:(\d{1,5})d)?(.*)$/s.exec(text) as RegExpExecArray;
  const parsed = parseDuration(rest === "" && text !== "" ? "0" : rest);
  if (parsed.kind === "invalid" || /^[-+]/.test(rest))
    return invalid(text, "is not a duration: use days and a Go duration, such as 3d, 1d12h or 36h");
  return { ...parsed, seconds: Number(days) * daySeconds + parsed.seconds };
}

/** Formats it: `3d`, `1d12h0m0s`. */
export function formatDays(seconds: number): string {
  const days = Math.floor(seconds / daySeconds);
  const rest = seconds - days * daySeconds;
  return (days === 0 ? "" : `${days}d`) + (rest === 0 && days > 0 ? "" : formatDuration(rest));
}

const daySeconds = 86_400;

/** Formats a duration as Go's `Duration.String` does: `1h30m0s`, `2m0.5s`, `100ms`, `0s`. Exact below 100 days. */
export function formatDuration(seconds: number): string {
  if (seconds < 0) return `-${formatDuration(-seconds)}`;
  const nanoseconds = Number(seconds.toFixed(9).replace(".", ""));
  if (nanoseconds === 0) return "0s";
  if (nanoseconds < 1e3) return `${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}µs`;
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`;
  const minutes = Math.floor(nanoseconds / 60e9);
  const rest = `${(nanoseconds - minutes * 60e9) / 1e9}s`;
  if (minutes === 0) return rest;
  return minutes < 60 ? `${minutes}m${rest}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${rest}`;
}

/** Parses one number and its unit, in nanoseconds, truncated. */
function parsePart(part: string): bigint | ParseError {
  const number = part.replace(/[^\d.].*$/s, "");
  const unit = part.slice(number.length);
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(number)) {
    return invalid(part, "is not a duration: use a number and its unit, such as 10m, 1h30m or 90s");
  }
  if (unit === "") return invalid(part, `has no unit: use ${part}s, ${part}m or ${part}h`);
  const nanoseconds = nanosecondsPer.get(unit);
  if (nanoseconds === undefined) return invalid(part, "has an unknown unit: use ns, us, ms, s, m or h");
  const decimals = number.includes(".") ? number.length - 1 - number.indexOf(".") : 0;
  return (BigInt(number.replace(".", "")) * nanoseconds) / 10n ** BigInt(decimals);
}
