import type { MaintenanceWindow } from "./maintenance-windows.ts";
import { offsetAt, type TimeZone } from "./time-zone.ts";

const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

/** The offsets of zones differ in the course of a year, in some for a few weeks only. Rules are known for these years in each runtime. */
const firstInstant = 1_767_225_600_000; // 2026-01-01T00:00:00Z
const stepMs = 10 * 86_400_000;
const maxSteps = 73;

/**
 * Reports whether windows of all lists are open at once in some week. A day of the month or a month may be in any week, and a day on which the
 * clocks change is ignored. A list without windows is always open.
 */
export function canCoincide(lists: readonly (readonly MaintenanceWindow[])[]): boolean {
  const closable = lists.filter((windows) => windows.length > 0);
  if (closable.length < 2) return true;
  const zones = new Map(closable.flat().map(({ schedule: { zone } }) => [zone.name, zone]));
  const seen = new Set<string>();
  for (let step = 0; step < (zones.size === 1 ? 1 : maxSteps); step += 1) {
    const offsets = new Map(
      [...zones.values()].map((zone) => [zone.name, minutesOf(zone, firstInstant + step * stepMs)]),
    );
    const key = [...offsets.values()].join(" ");
    if (!seen.has(key) && isAnyMinuteCommon(closable, offsets)) return true;
    seen.add(key);
  }
  return false;
}

function minutesOf(zone: TimeZone, instant: number): number {
  return Math.round(offsetAt(zone, instant) / 60_000);
}

function isAnyMinuteCommon(
  lists: readonly (readonly MaintenanceWindow[])[],
  offsets: ReadonlyMap<string, number>,
): boolean {
  const common = new Uint8Array(weekMinutes);
  for (const windows of lists) {
    let count = 0;
    const changes = changesOf(windows, offsets);
    for (let minute = 0; minute < weekMinutes; minute += 1) {
      count += changes[minute] as number;
      if (count > 0) (common[minute] as number) += 1;
    }
  }
  return common.includes(lists.length);
}

/** Returns by how much the number of open windows changes at each minute of a week in UTC. They start on whole minutes: a part of one is open. */
function changesOf(windows: readonly MaintenanceWindow[], offsets: ReadonlyMap<string, number>): Int32Array {
  const changes = new Int32Array(weekMinutes + 1);
  for (const { schedule, durationSeconds } of windows) {
    const length = Math.min(weekMinutes, Math.ceil(durationSeconds / 60));
    const offset = offsets.get(schedule.zone.name) as number;
    const { days, hours, minutes } = weeklyFields(schedule.pattern.getPattern() as string);
    for (const day of days)
      for (const hour of hours)
        for (const minute of minutes) {
          const from = (day * dayMinutes + hour * 60 + minute - offset + weekMinutes) % weekMinutes;
          const beyond = Math.max(0, from + length - weekMinutes);
          (changes[from] as number) += 1;
          (changes[from + length - beyond] as number) -= 1;
          (changes[0] as number) += beyond === 0 ? 0 : 1;
          (changes[beyond] as number) -= beyond === 0 ? 0 : 1;
        }
  }
  return changes;
}

/** Of normalized cron fields. Of two restricted day fields either one is enough, and a day of the month is on any day of the week. */
function weeklyFields(fields: string) {
  const [minute = "", hour = "", dayOfMonth, , dayOfWeek = ""] = fields.split(" ");
  const days = valuesOf(dayOfMonth === "*" ? dayOfWeek : "*", 7);
  return { days, hours: valuesOf(hour, 24), minutes: valuesOf(minute, 60) };
}

function valuesOf(field: string, length: number): readonly number[] {
  return field === "*" ? Array.from({ length }, (_, value) => value) : field.split(",").map(Number);
}
