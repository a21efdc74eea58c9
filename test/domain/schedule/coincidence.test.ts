import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canCoincide } from "../../../functions/domain/schedule/coincidence.ts";
import {
  isAnyWindowOpen,
  type MaintenanceWindow,
  nextOpening,
  parseWindow,
} from "../../../functions/domain/schedule/maintenance-windows.ts";

const hour = 3600;
const dayMs = 86_400_000;

function window(schedule: string, durationSeconds: number, zone = "UTC"): MaintenanceWindow {
  return parseWindow({ schedule, durationSeconds, zone }) as MaintenanceWindow;
}

describe("windows of two lists are open at once", () => {
  test.for<{ one: MaintenanceWindow[]; other: MaintenanceWindow[]; expected: boolean }>([
    { one: [window("0 3 * * *", hour)], other: [window("0 10 * * *", 2 * hour)], expected: false },
    { one: [window("0 3 * * *", 7 * hour)], other: [window("0 10 * * *", 2 * hour)], expected: false },
    { one: [window("0 3 * * *", 7 * hour + 1)], other: [window("0 10 * * *", 2 * hour)], expected: true },
    { one: [window("0 12 * * *", hour)], other: [window("0 10 * * *", 2 * hour)], expected: false },
    { one: [window("59 11 * * *", hour)], other: [window("0 10 * * *", 2 * hour)], expected: true },
    { one: [window("30 23 * * SAT", hour)], other: [window("0 0 * * SUN", hour)], expected: true },
    { one: [window("30 23 * * SUN", hour)], other: [window("0 0 * * SUN", hour)], expected: false },
    { one: [window("0 3 * * MON-FRI", hour)], other: [window("0 0 * * SAT,SUN", 24 * hour)], expected: false },
    { one: [window("0 3 1 * *", hour)], other: [window("0 0 * * SAT", 24 * hour)], expected: true },
    { one: [window("0 3 1 * MON", hour)], other: [window("0 0 * * SAT", 24 * hour)], expected: true },
    { one: [window("* * * * *", 60)], other: [window("0 10 * * MON", 60)], expected: true },
    { one: [window("0 3 * * TUE", 168 * hour)], other: [window("0 10 * * MON", 60)], expected: true },
    {
      one: [window("0 3 * * *", hour)],
      other: [window("0 10 * * *", 60), window("0 2 * * *", 2 * hour)],
      expected: true,
    },
    { one: [window("0 3 * * *", hour)], other: [], expected: true },
    { one: [], other: [], expected: true },
    // 12:00 in Berlin is at 10:00 UTC in summer, and at 11:00 in winter.
    { one: [window("0 10 * * *", 60)], other: [window("0 12 * * *", hour, "Europe/Berlin")], expected: true },
    { one: [window("30 11 * * *", 60)], other: [window("0 12 * * *", hour, "Europe/Berlin")], expected: true },
    { one: [window("0 12 * * *", 60)], other: [window("0 12 * * *", hour, "Europe/Berlin")], expected: false },
    // Morocco is at UTC for a few weeks of a year only.
    { one: [window("0 12 * * *", 60)], other: [window("0 12 * * *", 60, "Africa/Casablanca")], expected: true },
    { one: [window("0 4 * * *", hour, "Asia/Kolkata")], other: [window("30 22 * * *", 60)], expected: true },
    { one: [window("30 23 * * SUN", hour, "Asia/Tokyo")], other: [window("0 15 * * SUN", hour)], expected: true },
  ])(
    "$one.0.schedule.text and $other.0.schedule.text $other.0.schedule.zone.name: $expected",
    ({ one, other, expected }) => {
      expect([canCoincide([one, other]), canCoincide([other, one])]).toEqual([expected, expected]);
    },
  );

  test("of three lists only if all are open at once, and not each two of them", () => {
    const lists = [
      [window("0 1 * * *", hour), window("0 5 * * *", hour)],
      [window("0 1 * * *", hour), window("0 9 * * *", hour)],
      [window("0 5 * * *", hour), window("0 9 * * *", hour)],
    ];
    expect(canCoincide(lists)).toBe(false);
    expect(canCoincide([...lists.slice(0, 2), [window("0 1 * * *", hour)]])).toBe(true);
  });
});

const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

function drawnLists(zones: readonly string[]) {
  const drawn = fc.record({
    minute: fc.integer({ min: 0, max: 59 }),
    hours: fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 2 }),
    days: fc.oneof(fc.constant(["*"]), fc.uniqueArray(fc.constantFrom(...days), { minLength: 1, maxLength: 3 })),
    seconds: fc.oneof(fc.integer({ min: 1, max: 3 * hour }), fc.integer({ min: 1, max: 18 * hour })),
    zone: fc.constantFrom(...zones),
  });
  const list = fc.array(
    drawn.map(({ minute, hours, days: on, seconds, zone }) =>
      window(`${minute} ${hours.join(",")} * * ${on.join(",")}`, seconds, zone),
    ),
    { minLength: 1, maxLength: 2 },
  );
  return fc.array(list, { minLength: 2, maxLength: 3 });
}

/** All are open at once at the start of the last one, if ever: of each week the offsets are others. */
function coincideIn(weeks: readonly string[], lists: readonly (readonly MaintenanceWindow[])[]): boolean {
  return weeks.some((first) => {
    const from = new Date(`${first}T00:00:00Z`).getTime();
    for (let at = nextOpening(lists.flat(), new Date(from - 1)); at !== null; at = nextOpening(lists.flat(), at)) {
      const instant = at;
      if (instant.getTime() >= from + 7 * dayMs) return false;
      if (lists.every((windows) => isAnyWindowOpen(windows, instant))) return true;
    }
    return false;
  });
}

describe("of drawn windows they are if they are", () => {
  test.for([
    { what: "in a week of UTC", zones: ["UTC"], weeks: ["2026-06-08"] },
    {
      what: "in a week of winter, of summer, or of summer in America only",
      zones: ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"],
      weeks: ["2026-01-12", "2026-07-13", "2026-03-16"],
    },
  ])("$what", ({ zones, weeks }) => {
    const answers = new Set<boolean>();
    fc.assert(
      fc.property(drawnLists(zones), (lists) => {
        const expected = coincideIn(weeks, lists);
        answers.add(expected);
        expect(canCoincide(lists)).toBe(expected);
      }),
      { numRuns: 80, seed: 28 },
    );
    expect(answers.size).toBe(2);
  });
});
