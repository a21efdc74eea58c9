import { type Invalid, invalid } from "../invalid.ts";
import { nextAfter, parseSchedule, type Schedule } from "../schedule.ts";
import { fromEpoch } from "../time.ts";

/** A time in which nodes may become unavailable: it opens as its schedule says and lasts so many seconds, also over midnight. */
export interface Window {
  readonly kind: "window";
  readonly schedule: Schedule;
  readonly durationSeconds: number;
}

/** A window as its owner writes it. */
export interface WrittenWindow {
  /** Five cron fields or a descriptor such as `@daily`. */
  readonly schedule: string;
  readonly durationSeconds: number;
  /** An IANA name; UTC where it is absent. A `CRON_TZ=` in the schedule goes before it. */
  readonly zone?: string;
}

/** Reads a window. Its duration is a whole number of seconds, 1 or more. */
export function parseWindow({ schedule: text, durationSeconds, zone = "UTC" }: WrittenWindow): Window | Invalid {
  const schedule = parseSchedule(text, zone);
  if (schedule.kind === "invalid") return schedule;
  if (schedule.kind === "every") return invalid(text, "names no time of day: write five fields, such as 0 22 * * *");
  if (!Number.isInteger(durationSeconds) || durationSeconds < 1) {
    return invalid(`${durationSeconds}`, "is not a duration: write a whole number of seconds, 1 or more");
  }
  return { kind: "window", schedule, durationSeconds };
}

/**
 * Whether one of the windows is open; true where there are none. A window is open from its start on, and no longer at its
 * end. It lasts as long as it says in a night whose clocks are changed too; one that begins in the hour that is skipped in
 * spring does not open that day.
 */
export function isOpen(windows: readonly Window[], now: Date): boolean {
  return windows.length === 0 || windows.some((window) => startedWithin(window, now));
}

/** When a window opens next; null where none ever does. */
export function opensAt(windows: readonly Window[], now: Date): Date | null {
  const starts = windows.map(({ schedule }) => nextAfter(schedule, now)).filter((start) => start !== null);
  return starts.length === 0 ? null : fromEpoch(Math.min(...starts.map((start) => start.getTime())));
}

function startedWithin({ schedule, durationSeconds }: Window, now: Date): boolean {
  const start = nextAfter(schedule, fromEpoch(now.getTime() - durationSeconds * 1000));
  return start !== null && start.getTime() <= now.getTime();
}
