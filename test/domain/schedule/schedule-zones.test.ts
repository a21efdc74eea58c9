import { describe, expect, test } from "vitest";
import { nextRunAfter, parseSchedule } from "../../../functions/domain/schedule/schedule.ts";

/** Returns the next times after `after`, in UTC to the minute. */
function times(text: string, after: string, count: number, zone?: string): string[] {
  const schedule = parseSchedule(text, zone);
  if (schedule.kind === "invalid") throw new Error(schedule.reason);
  const found: string[] = [];
  for (let last: Date | null = new Date(after); last !== null && found.length < count;) {
    last = nextRunAfter(schedule, last);
    if (last !== null) found.push(last.toISOString().slice(5, 16));
  }
  return found;
}

test.for([
  { text: "0 3 * * *", zone: "Europe/Berlin", next: "01-15T02:00" },
  { text: "CRON_TZ=America/New_York 0 3 * * *", zone: "Europe/Berlin", next: "01-15T08:00" },
  { text: "TZ=Asia/Kolkata 0 3 * * *", zone: "UTC", next: "01-15T21:30" },
  { text: "TZ=America/St_Johns 0 3 * * *", zone: "UTC", next: "01-15T06:30" },
  { text: "TZ=UTC 0 3 * * *", zone: "Europe/Berlin", next: "01-15T03:00" },
  { text: "TZ= 0 3 * * *", zone: "Europe/Berlin", next: "01-15T03:00" },
  { text: "TZ=EST5EDT 0 3 * * *", zone: "UTC", next: "01-15T08:00" },
])("$text with default zone $zone: $next", ({ text, zone, next }) => {
  expect(times(text, "2026-01-15T01:00:00Z", 1, zone)).toEqual([next]);
});

describe("times in the hour that is skipped in spring are omitted", () => {
  test.for([
    // Berlin: 2026-03-29, 02:00 becomes 03:00 at 01:00Z. New York: 2026-03-08, 02:00 becomes 03:00 at 07:00Z.
    { zone: "Europe/Berlin", text: "30 2 * * *", after: "2026-03-28T00:00:00Z", next: ["03-28T01:30", "03-30T00:30"] },
    { zone: "Europe/Berlin", text: "0 3 * * *", after: "2026-03-28T00:00:00Z", next: ["03-28T02:00", "03-29T01:00"] },
    { zone: "Europe/Berlin", text: "0 * * * *", after: "2026-03-29T00:00:00Z", next: ["03-29T01:00", "03-29T02:00"] },
    {
      zone: "Europe/Berlin",
      text: "*/30 2 * * *",
      after: "2026-03-28T02:00:00Z",
      next: ["03-30T00:00", "03-30T00:30"],
    },
    {
      zone: "America/New_York",
      text: "30 2 * * *",
      after: "2026-03-07T00:00:00Z",
      next: ["03-07T07:30", "03-09T06:30"],
    },
    { zone: "America/New_York", text: "30 2 11 3 ?", after: "2012-03-11T05:00:00Z", next: ["03-11T06:30"] },
    {
      zone: "America/New_York",
      text: "*/30 * * * *",
      after: "2026-03-08T06:30:00Z",
      next: ["03-08T07:00", "03-08T07:30"],
    },
    { zone: "Africa/Cairo", text: "0 0 * * *", after: "2024-04-24T00:00:00Z", next: ["04-24T22:00", "04-26T21:00"] },
    { zone: "Pacific/Apia", text: "0 12 * * *", after: "2011-12-29T12:00:00Z", next: ["12-29T22:00", "12-30T22:00"] },
  ])("$zone, $text after $after", ({ zone, text, after, next }) => {
    expect(times(text, after, next.length, zone)).toEqual(next);
  });
});

describe("times in the hour that repeats in autumn occur twice", () => {
  test.for([
    // Berlin: 2026-10-25, 03:00 becomes 02:00 at 01:00Z. New York: 2026-11-01, 02:00 becomes 01:00 at 06:00Z.
    {
      zone: "Europe/Berlin",
      text: "30 2 * * *",
      after: "2026-10-24T12:00:00Z",
      next: ["10-25T00:30", "10-25T01:30", "10-26T01:30"],
    },
    { zone: "Europe/Berlin", text: "0 3 * * *", after: "2026-10-24T12:00:00Z", next: ["10-25T02:00", "10-26T02:00"] },
    { zone: "Europe/Berlin", text: "0 2 * * *", after: "2026-10-25T00:30:00Z", next: ["10-25T01:00", "10-26T01:00"] },
    {
      zone: "America/New_York",
      text: "30 1 4 11 ?",
      after: "2012-11-04T05:45:00Z",
      next: ["11-04T06:30", "11-04T06:30"],
    },
    { zone: "America/New_York", text: "30 2 4 11 ?", after: "2012-11-04T04:00:00Z", next: ["11-04T07:30"] },
    {
      zone: "America/New_York",
      text: "15,50 * * * *",
      after: "2026-11-01T05:00:00Z",
      next: ["11-01T05:15", "11-01T05:50", "11-01T06:15", "11-01T06:50", "11-01T07:15"],
    },
    {
      zone: "America/New_York",
      text: "50 1 * * *",
      after: "2026-11-01T06:10:00Z",
      next: ["11-01T06:50", "11-02T06:50"],
    },
    // Lord Howe Island sets its clocks back by half an hour only.
    {
      zone: "Australia/Lord_Howe",
      text: "45 1 * * *",
      after: "2024-04-06T12:00:00Z",
      next: ["04-06T14:45", "04-06T15:15"],
    },
  ])("$zone, $text after $after", ({ zone, text, after, next }) => {
    expect(times(text, after, next.length, zone)).toEqual(next);
  });
});

test("every twentieth minute occurs, also on days with a clock change", () => {
  const schedule = parseSchedule("CRON_TZ=Europe/Berlin */20 * * * *");
  if (schedule.kind === "invalid") throw new Error(schedule.reason);
  const start = Date.UTC(2026, 2, 28);
  for (const day of [0, 1, 2, 210, 211, 212]) {
    for (let minute = 0; minute < 24 * 60; minute += 20) {
      const instant = start + (day * 24 * 60 + minute) * 60_000;
      expect(nextRunAfter(schedule, new Date(instant - 1))).toEqual(new Date(instant));
    }
  }
});
