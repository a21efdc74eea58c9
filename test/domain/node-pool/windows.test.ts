import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isOpen,
  opensAt,
  parseWindow,
  type Window,
  type WrittenWindow,
} from "../../../functions/domain/node-pool/windows.ts";

function window(written: WrittenWindow): Window {
  const read = parseWindow(written);
  if (read.kind === "invalid") throw new Error(read.reason);
  return read;
}

const hours = 3600;
const nightly = window({ schedule: "0 22 * * *", durationSeconds: 4 * hours });
const berlin = window({ schedule: "0 1 * * *", durationSeconds: 3 * hours, zone: "Europe/Berlin" });
const fridays = window({ schedule: "0 22 * * FRI", durationSeconds: 6 * hours, zone: "America/New_York" });

test.for([
  { when: "before it", of: nightly, at: "2026-11-20T21:59:59Z", open: false },
  { when: "at its start", of: nightly, at: "2026-11-20T22:00:00Z", open: true },
  { when: "after midnight", of: nightly, at: "2026-11-21T01:59:59Z", open: true },
  { when: "at its end", of: nightly, at: "2026-11-21T02:00:00Z", open: false },
  { when: "on Saturday, of Friday's", of: fridays, at: "2026-11-21T08:59:59Z", open: true },
  { when: "on Saturday, after Friday's", of: fridays, at: "2026-11-21T09:00:00Z", open: false },
  { when: "early on Friday, before Friday's", of: fridays, at: "2026-11-20T05:00:00Z", open: false },
])("$when: $open", ({ of, at, open }) => {
  expect(isOpen([of], new Date(at))).toBe(open);
});

describe("when the clocks are changed", () => {
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
    expect(isOpen([berlin], new Date(at))).toBe(open);
  });
});

test("without windows it is always open", () => {
  expect(isOpen([], new Date("2026-11-20T12:00:00Z"))).toBe(true);
});

test("of several windows one is enough, and the first to open is next", () => {
  const now = new Date("2026-11-20T23:00:00Z");
  expect(isOpen([fridays, nightly], now)).toBe(true);
  expect(opensAt([fridays, nightly], now)).toEqual(new Date("2026-11-21T03:00:00Z"));
  expect(opensAt([window({ schedule: "0 0 30 2 *", durationSeconds: 1 })], now)).toBeNull();
});

test.for([
  { written: { schedule: "0 25 * * *", durationSeconds: 60 }, says: "hour" },
  { written: { schedule: "@every 1h", durationSeconds: 60 }, says: "names no time of day" },
  { written: { schedule: "@daily", durationSeconds: 60, zone: "Berlin" }, says: "time zone" },
  { written: { schedule: "@daily", durationSeconds: 0 }, says: "1 or more" },
  { written: { schedule: "@daily", durationSeconds: 1.5 }, says: "whole number of seconds" },
])("$written cannot be read", ({ written, says }) => {
  expect(parseWindow(written)).toMatchObject({ kind: "invalid", reason: expect.stringContaining(says) });
});

test("it is open exactly so long after each start, in whatever zone and season", () => {
  const day = fc.date({ min: new Date("2025-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
  const seconds = fc.integer({ min: 1, max: 100 * hours });
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata");
  fc.assert(
    fc.property(day, seconds, zone, (date, durationSeconds, name) => {
      const daily = window({ schedule: "30 22 * * *", durationSeconds, zone: name });
      const start = opensAt([daily], date) ?? date;
      const open = (offset: number) => isOpen([daily], new Date(start.getTime() + offset));
      expect(open(0)).toBe(true);
      expect(open(durationSeconds * 1000 - 1)).toBe(true);
      // Another may have begun by then, or before this one.
      const isAlone = durationSeconds < 23 * hours;
      expect(isAlone && (open(-1) || open(durationSeconds * 1000))).toBe(false);
    }),
    { numRuns: 100 },
  );
});
