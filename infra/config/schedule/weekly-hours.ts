import { createCron } from "./schedule-runs.ts";

/** Hours of a week in UTC in which a schedule always runs: 0 is the first hour of Monday. */
export interface WeeklyHours {
  readonly hours: ReadonlySet<number>;
  /** The fewest runs of one of these hours. */
  readonly runsPerHour: number;
}

const minute = 60_000;
const week = 7 * 24 * 60 * minute;

/** Mondays in both halves of the year: daylight saving time moves the hours in UTC. */
const mondays = [new Date("2027-01-04T00:00:00Z"), new Date("2027-07-05T00:00:00Z")];

/** In one hour of UTC, a run after this minute may complete in the next one: jitter, and the duration of a poll. */
const lastMinute = 49;

/** Returns the hours in which a `cron(...)` that is the same every week always runs, in summer and winter; null for other schedules. */
export function weeklyHours(expression: string, timeZone: string): WeeklyHours | null {
  if (!isWeekly(expression)) return null;
  const [winter, summer] = mondays.map((monday) => countRuns(expression, timeZone, monday));
  if (winter === undefined || summer === undefined) return null;
  const both = [...winter].flatMap(([hour, runs]) =>
    summer.has(hour) ? [[hour, Math.min(runs, summer.get(hour)!)] as const] : [],
  );
  if (both.length === 0) return null;
  return { hours: new Set(both.map(([hour]) => hour)), runsPerHour: Math.min(...both.map(([, runs]) => runs)) };
}

/** Reports whether every week is the same: each day of the month, month and year, and no `L` or `#`. */
function isWeekly(expression: string): boolean {
  const [, , day, month, weekday, year] = expression.slice("cron(".length, -1).split(" ");
  return /^[*?]$/.test(day ?? "") && month === "*" && year === "*" && !/[L#]/.test(weekday ?? "");
}

/** Counts the runs of a week by their hour in UTC. The cron is computed in UTC, which is fast, and moved by the offset of the time zone. */
function countRuns(expression: string, timeZone: string, monday: Date): ReadonlyMap<number, number> {
  const cron = createCron(expression, "UTC");
  const offset = offsetMinutes(timeZone, monday) * minute;
  const counts = new Map<number, number>();
  let run = cron?.nextRun(new Date(monday.getTime() - 1)) ?? null;
  while (run !== null && run.getTime() < monday.getTime() + week) {
    const time = (run.getTime() - offset - monday.getTime() + week) % week;
    const hour = Math.floor(time / (60 * minute));
    if ((time / minute) % 60 <= lastMinute) counts.set(hour, (counts.get(hour) ?? 0) + 1);
    run = cron?.nextRun(run) ?? null;
  }
  return counts;
}

/** Returns the minutes by which local time is ahead of UTC. */
function offsetMinutes(timeZone: string, time: Date): number {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(time);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
