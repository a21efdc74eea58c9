import { Cron } from "croner";
import { normaliseFields } from "./cron-fields.ts";
import { parseDuration } from "./duration.ts";
import { type Invalid, invalid } from "./invalid.ts";
import { fromEpoch } from "./time.ts";
import { instantsOf, offsetAt, parseTimeZone, setBackAfter, type TimeZone } from "./time-zone.ts";

/** When something is due, in the grammar of robfig/cron v3 `ParseStandard`. */
export type Schedule =
  /** `pattern` matches what the clocks of `zone` show, as if that were UTC. */
  | { readonly kind: "cron"; readonly text: string; readonly zone: TimeZone; readonly pattern: Cron }
  | { readonly kind: "every"; readonly text: string; readonly seconds: number };

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
 * Reads five fields (`0 3 * * MON-FRI`), a descriptor (`@daily`) or `@every 1h30m`, with `CRON_TZ=` or `TZ=` and an IANA
 * zone in front where it is not to be `defaultZone`.
 */
export function parseSchedule(text: string, defaultZone = "UTC"): Schedule | Invalid {
  const [zoneName, expression] = splitZone(text.trim(), defaultZone);
  const zone = parseTimeZone(zoneName);
  if (zone === null) return invalid(zoneName, "is not a time zone: write an IANA name such as Europe/Berlin");
  if (expression === "") return invalid(text, "names no time: write five fields, such as 0 3 * * *, or @daily");
  if (/^@every\s/.test(expression)) return parseEvery(text, expression);
  if (expression.startsWith("@") && !descriptors.has(expression)) {
    return invalid(expression, `is not known: ${[...descriptors.keys()].join(", ")} and @every 1h30m are`);
  }
  const fields = normaliseFields(descriptors.get(expression) ?? expression);
  if (typeof fields !== "string") return fields;
  return { kind: "cron", text, zone, pattern: new Cron(fields, { mode: "5-part", timezone: "UTC" }) };
}

/**
 * The first time after `date`, on a whole second; null where there is none (30 February). As with robfig/cron, what falls
 * into the hour that is skipped in spring is left out, and what falls into the hour that comes twice in autumn comes twice.
 */
export function nextAfter(schedule: Schedule, date: Date): Date | null {
  const instant = date.getTime();
  if (schedule.kind === "every") return fromEpoch((Math.floor(instant / 1000) + schedule.seconds) * 1000);
  const wallClock = instant + offsetAt(schedule.zone, instant);
  const starts = new Set([wallClock, wallClock - setBackAfter(schedule.zone, instant)]);
  const matches = [...starts].map((start) => firstMatch(schedule, start, instant)).filter((match) => match !== null);
  return matches.length === 0 ? null : fromEpoch(Math.min(...matches));
}

/** Due once `now` is past the next time after the last check, and where nothing has been checked yet. */
export function isDue(schedule: Schedule, lastCheck: Date | null, now: Date): boolean {
  if (lastCheck === null) return true;
  const next = nextAfter(schedule, lastCheck);
  return next !== null && now.getTime() > next.getTime();
}

/** The first match on the clock after `wallClock` that is shown at an instant after `after`. */
function firstMatch({ pattern, zone }: Schedule & { kind: "cron" }, wallClock: number, after: number): number | null {
  let shown = pattern.nextRun(fromEpoch(wallClock));
  while (shown !== null) {
    const instant = instantsOf(zone, shown.getTime()).find((candidate) => candidate > after);
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

/** robfig/cron counts whole seconds, and at least one. */
function parseEvery(text: string, expression: string): Schedule | Invalid {
  const duration = parseDuration(expression.replace(/^@every\s+/, ""));
  if (duration.kind === "invalid") return duration;
  return { kind: "every", text, seconds: Math.max(1, Math.floor(duration.seconds)) };
}
