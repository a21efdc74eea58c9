import { type ParseError, invalid } from "../text/parse-error.ts";
import { type CronSchedule, nextRunAfter, parseSchedule } from "./schedule.ts";
import { fromEpoch, secondsAfter } from "../text/rfc3339.ts";

/** A time in which something may be updated. It starts by its schedule and may span midnight. */
export interface MaintenanceWindow {
  readonly kind: "window";
  readonly schedule: CronSchedule;
  readonly durationSeconds: number;
}

/** A window as written in the spec. */
export interface RawWindow {
  /** Five cron fields or a descriptor such as `@daily`. */
  readonly schedule: string;
  readonly durationSeconds: number;
  /** An IANA time zone; UTC if absent. A `CRON_TZ=` in the schedule overrides it. */
  readonly zone?: string;
}

/** Parses a window. Its duration is a whole number of seconds, 1 or more. */
export function parseWindow({
  schedule: text,
  durationSeconds,
  zone = "UTC",
}: RawWindow): MaintenanceWindow | ParseError {
  const schedule = parseSchedule(text, zone);
  if (schedule.kind === "invalid") return schedule;
  if (schedule.kind === "every") return invalid(text, "names no time of day: write five fields, such as 0 22 * * *");
  if (!Number.isInteger(durationSeconds) || durationSeconds < 1) {
    return invalid(`${durationSeconds}`, "is not a duration: write a whole number of seconds, 1 or more");
  }
  return { kind: "window", schedule, durationSeconds };
}

/**
 * Reports whether a window is open; true if there are none. A window includes its start and excludes its end. Its
 * duration does not change with daylight saving time; one that starts in the hour that is skipped in spring does not
 * open that day.
 */
export function isAnyWindowOpen(windows: readonly MaintenanceWindow[], now: Date): boolean {
  return windows.length === 0 || windows.some((window) => isWithinWindow(window, now));
}

/** Reports whether a window is open now and for as long as `seconds`; true if there are none. */
export function isTimeLeft(windows: readonly MaintenanceWindow[], seconds: number, now: Date): boolean {
  if (windows.length === 0) return true;
  return windows.some(({ schedule, durationSeconds }) => {
    if (durationSeconds < seconds) return false;
    const start = nextRunAfter(schedule, fromEpoch(now.getTime() - (durationSeconds - seconds) * 1000 - 1));
    return start !== null && start.getTime() <= now.getTime();
  });
}

/** Returns when a window opens next; null if none ever does. */
export function nextOpening(windows: readonly MaintenanceWindow[], now: Date): Date | null {
  const starts = windows.map(({ schedule }) => nextRunAfter(schedule, now)).filter((start) => start !== null);
  return starts.length === 0 ? null : fromEpoch(Math.min(...starts.map((start) => start.getTime())));
}

/** Windows that do not coincide in this number of openings do so rarely, or never. */
const maxOpenings = 60;

/** Returns when a window of each list is open next, now at the earliest; null if that is not known to happen. */
export function nextCommonOpening(lists: readonly (readonly MaintenanceWindow[])[], now: Date): Date | null {
  let at: Date | null = now;
  for (let opening = 0; at !== null && opening <= maxOpenings; opening += 1) {
    const found: Date = at;
    const closed = lists.find((windows) => !isAnyWindowOpen(windows, found));
    if (closed === undefined) return at;
    at = nextOpening(closed, at);
  }
  return null;
}

function isWithinWindow({ schedule, durationSeconds }: MaintenanceWindow, now: Date): boolean {
  const start = nextRunAfter(schedule, secondsAfter(now, -durationSeconds));
  return start !== null && start.getTime() <= now.getTime();
}
