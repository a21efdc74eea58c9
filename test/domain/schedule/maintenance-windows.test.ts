import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isAnyWindowOpen,
  isTimeLeft,
  nextOpening,
  parseWindow,
  type MaintenanceWindow,
  type RawWindow,
} from "../../../functions/domain/schedule/maintenance-windows.ts";

function windowOf(raw: RawWindow): MaintenanceWindow {
  const parsed = parseWindow(raw);
  if (parsed.kind === "invalid") throw new Error(parsed.reason);
  return parsed;
}

const hours = 3600;
const nightly = windowOf({ schedule: "0 22 * * *", durationSeconds: 4 * hours });
const berlin = windowOf({ schedule: "0 1 * * *", durationSeconds: 3 * hours, zone: "Europe/Berlin" });
const fridays = windowOf({ schedule: "0 22 * * FRI", durationSeconds: 6 * hours, zone: "America/New_York" });

test.for([
  { when: "before it", in: nightly, at: "2026-11-20T21:59:59Z", open: false },
  { when: "at its start", in: nightly, at: "2026-11-20T22:00:00Z", open: true },
  { when: "after midnight", in: nightly, at: "2026-11-21T01:59:59Z", open: true },
  { when: "at its end", in: nightly, at: "2026-11-21T02:00:00Z", open: false },
  { when: "on Saturday, of Friday's", in: fridays, at: "2026-11-21T08:59:59Z", open: true },
  { when: "on Saturday, after Friday's", in: fridays, at: "2026-11-21T09:00:00Z", open: false },
  { when: "early on Friday, before Friday's", in: fridays, at: "2026-11-20T05:00:00Z", open: false },
])("$when: $open", ({ in: window, at, open }) => {
  expect(isAnyWindowOpen([window], new Date(at))).toBe(open);
});

describe("at a daylight saving change", () => {
  // Berlin: 2026-03-29 and 2026-10-25, both at 01:00Z.
  test.for([
    { when: "in spring it opens at 01:00 local", at: "2026-03-29T00:00:00Z", open: true },
    { when: "in spring it lasts three hours, to 05:00 local", at: "2026-03-29T02:59:59Z", open: true },
    { when: "in spring it is over after three hours", at: "2026-03-29T03:00:00Z", open: false },
    { when: "in autumn it opens at 01:00 local", at: "2026-10-24T23:00:00Z", open: true },
    { when: "in autumn it is over after three hours, at 03:00 local", at: "2026-10-25T02:00:00Z", open: false },
    { when: "the day after it opens an hour later in UTC", at: "2026-10-26T00:00:00Z", open: true },
    { when: "the day after it is not open an hour before", at: "2026-10-25T23:59:59Z", open: false },
  ])("$when", ({ at, open }) => {
    expect(isAnyWindowOpen([berlin], new Date(at))).toBe(open);
  });
});

test.for([
  { when: "before it opens", at: "2026-11-20T21:59:59Z", left: false },
  { when: "when it opens", at: "2026-11-20T22:00:00Z", left: true },
  { when: "when an hour is left", at: "2026-11-21T01:00:00Z", left: true },
  { when: "when a second less is left", at: "2026-11-21T01:00:01Z", left: false },
  { when: "when it is over", at: "2026-11-21T02:00:00Z", left: false },
])("an hour is left $when: $left", ({ at, left }) => {
  const now = new Date(at);
  expect(isTimeLeft([nightly], hours, now)).toBe(left);
  expect(isTimeLeft([nightly], 5 * hours, now)).toBe(false);
  expect(isTimeLeft([], 5 * hours, now)).toBe(true);
});

test("without windows it is always open", () => {
  expect(isAnyWindowOpen([], new Date("2026-11-20T12:00:00Z"))).toBe(true);
});

test("one open window is enough, and the earliest opening is next", () => {
  const now = new Date("2026-11-20T23:00:00Z");
  expect(isAnyWindowOpen([fridays, nightly], now)).toBe(true);
  expect(nextOpening([fridays, nightly], now)).toEqual(new Date("2026-11-21T03:00:00Z"));
  expect(nextOpening([nightly], new Date("9999-12-31T23:00:00Z"))).toBeNull();
});

test.for([
  { raw: { schedule: "0 25 * * *", durationSeconds: 60 }, message: "hour" },
  { raw: { schedule: "0 0 30 2 *", durationSeconds: 60 }, message: "never comes" },
  { raw: { schedule: "@every 1h", durationSeconds: 60 }, message: "names no time of day" },
  { raw: { schedule: "@daily", durationSeconds: 60, zone: "Berlin" }, message: "time zone" },
  { raw: { schedule: "@daily", durationSeconds: 0 }, message: "1 or more" },
  { raw: { schedule: "@daily", durationSeconds: 1.5 }, message: "whole number of seconds" },
])("$raw is invalid", ({ raw, message }) => {
  expect(parseWindow(raw)).toMatchObject({ kind: "invalid", reason: expect.stringContaining(message) });
});

test("it is open for its duration after each start, in every zone and season", () => {
  const day = fc.date({ min: new Date("2025-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
  const seconds = fc.integer({ min: 1, max: 100 * hours });
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata");
  fc.assert(
    fc.property(day, seconds, zone, (date, durationSeconds, name) => {
      const daily = windowOf({ schedule: "30 22 * * *", durationSeconds, zone: name });
      const start = nextOpening([daily], date) ?? date;
      const open = (offset: number) => isAnyWindowOpen([daily], new Date(start.getTime() + offset));
      expect(open(0)).toBe(true);
      expect(open(durationSeconds * 1000 - 1)).toBe(true);
      // Another opening may overlap with this one.
      const isAlone = durationSeconds < 23 * hours;
      expect(isAlone && (open(-1) || open(durationSeconds * 1000))).toBe(false);
    }),
    { numRuns: 100 },
  );
});
