import { Cron } from "croner";
import { normalizeCronFields } from "./cron-fields.ts";
import { parseDuration } from "../text/duration.ts";
import { type ParseError, invalid } from "../text/parse-error.ts";
import { fromEpoch } from "../text/rfc3339.ts";
import { instantsAt, offsetAt, parseTimeZone, clockSetBack, type TimeZone } from "./time-zone.ts";

/** A schedule in the grammar of robfig/cron v3 `ParseStandard`. */
export type Schedule =
  /** `pattern` matches the wall-clock time of `zone`, as if that were UTC. */
  | { readonly kind: "cron"; readonly text: string; readonly zone: TimeZone; readonly pattern: Cron }
  | { readonly kind: "every"; readonly text: string; readonly seconds: number };

export type CronSchedule = Extract<Schedule, { readonly kind: "cron" }>;

const descriptors: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/**
 * Parses five fields (`0 3 * * MON-FRI`), a descriptor (`@daily`) or `@every 1h30m`, with `CRON_TZ=` or `TZ=` and an
 * IANA zone in front if it differs from `defaultZone`.
 */
export function parseSchedule(text: string, defaultZone = "UTC"): Schedule | ParseError {
  const [zoneName, expression] = splitZone(text.trim(), defaultZone);
  const zone = parseTimeZone(zoneName);
  if (zone === null) return invalid(zoneName, "is not a time zone: use an IANA name such as Europe/Berlin");
  if (expression === "") return invalid(text, "has no time: use five fields, such as 0 3 * * *, or @daily");
  if (/^@every\s/.test(expression)) return parseEvery(text, expression);
  if (expression.startsWith("@") && !descriptors.has(expression)) {
    return invalid(expression, `is not a known descriptor: use ${[...descriptors.keys()].join(", ")} or @every 1h30m`);
  }
  const fields = normalizeCronFields(descriptors.get(expression) ?? expression);
  if (typeof fields !== "string") return fields;
  if (!comes(fields)) return invalid(text, "never comes: no such day is in these months; use another day or month");
  return { kind: "cron", text, zone, pattern: new Cron(fields, { mode: "5-part", timezone: "UTC" }) };
}

/**
 * Returns the first time after `date`, on a whole second; null if there is none before the year 10000. As with robfig/cron, a
 * time in the hour that is skipped in spring is left out, and a time in the hour that repeats in autumn occurs twice.
 */
export function nextRunAfter(schedule: Schedule, date: Date): Date | null {
  const instant = date.getTime();
  if (schedule.kind === "every") return fromEpoch((Math.floor(instant / 1000) + schedule.seconds) * 1000);
  const wallClock = instant + offsetAt(schedule.zone, instant);
  const starts = new Set([wallClock, wallClock - clockSetBack(schedule.zone, instant)]);
  const matches = [...starts].map((start) => firstMatch(schedule, start, instant)).filter((match) => match !== null);
  return matches.length === 0 ? null : fromEpoch(Math.min(...matches));
}

/** Reports whether `now` is past the next time after the last check, however long ago that is; true if there was no check yet. */
export function isDue(schedule: Schedule, lastCheck: Date | null, now: Date): boolean {
  if (lastCheck === null) return true;
  const next = nextRunAfter(schedule, lastCheck);
  return next !== null && now.getTime() > next.getTime();
}

/**
 * Reports whether a time of the schedule has come within the last `toleranceSeconds`, and since `last` if that is given. The time that
 * is exactly `toleranceSeconds` ago is not within them.
 */
export function hasComeWithin(schedule: Schedule, toleranceSeconds: number, last: Date | null, now: Date): boolean {
  const earliest = now.getTime() - toleranceSeconds * 1000;
  const next = nextRunAfter(schedule, fromEpoch(Math.max(earliest, last?.getTime() ?? earliest)));
  return next !== null && next.getTime() <= now.getTime();
}

/** The most days that each month has. */
const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reports whether any date matches normalized fields: `0 0 30 2 *` never comes. A day of the week comes in each month. */
function comes(fields: string): boolean {
  const [, , days = "*", months = "*", weekdays] = fields.split(" ");
  if (days === "*" || weekdays !== "*") return true;
  const shortest = Math.min(...days.split(",").map(Number));
  const lengths = months === "*" ? daysIn : months.split(",").map((month) => daysIn[Number(month) - 1] as number);
  return shortest <= Math.max(...lengths);
}

/** Returns the first wall-clock match after `wallClock` whose instant is after `after`. */
function firstMatch({ pattern, zone }: CronSchedule, wallClock: number, after: number): number | null {
  let shown = pattern.nextRun(fromEpoch(wallClock));
  while (shown !== null) {
    const instant = instantsAt(zone, shown.getTime()).find((candidate) => candidate > after);
    if (instant !== undefined) return instant;
    shown = pattern.nextRun(shown);
  }
  return null;
}

/** Go reads an empty zone as UTC. */
function splitZone(text: string, defaultZone: string): readonly [string, string] {
  if (!/^(?:CRON_)?TZ=/.test(text)) return [defaultZone, text];
  const end = text.search(/\s|$/);
  return [text.slice(text.indexOf("=") + 1, end) || "UTC", text.slice(end).trim()];
}

/** robfig/cron counts whole seconds, and at least one. It takes a negative duration too, as one second. */
function parseEvery(text: string, expression: string): Schedule | ParseError {
  const duration = parseDuration(expression.replace(/^@every\s+/, ""));
  if (duration.kind === "invalid") return duration;
  if (duration.seconds <= 0) return invalid(text, "is not above 0: use a duration such as @every 1h");
  return { kind: "every", text, seconds: Math.max(1, Math.floor(duration.seconds)) };
}
