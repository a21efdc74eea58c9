import { secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import { Cron } from "croner";

const secondsPer: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/** Croner's grammar has an additional field of seconds; the options allow Sunday as 1 and `0/15`. */
const quartz = { mode: "7-part", alternativeWeekdays: true, sloppyRanges: true } as const;

/** Creates the runs of a `cron(...)`; null if Croner cannot read the expression, such as one with `L` or `W`. */
export function createCron(expression: string, timezone: string): Cron | null {
  try {
    return new Cron(`0 ${expression.slice("cron(".length, -1)}`, { timezone, ...quartz });
  } catch {
    return null;
  }
}

/** Returns the interval of a `rate(...)` in seconds; null for `cron(...)`. */
export function rateSeconds(expression: string): number | null {
  const [, value, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  return value === undefined || unit === undefined ? null : Number(value) * secondsPer[unit]!;
}

/** Returns when a schedule ran last before a time; null if that is unknown. A `rate(...)` has run within one interval. */
export function lastRunBefore(expression: string, timeZone: string, time: Date): Date | null {
  const seconds = rateSeconds(expression);
  if (seconds !== null) return secondsAfter(time, -seconds);
  return createCron(expression, timeZone)?.previousRuns(1, time)[0] ?? null;
}
