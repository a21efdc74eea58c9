import { describe, expect, test } from "vitest";
import {
  hasComeWithin,
  isDue,
  nextRunAfter,
  parseSchedule,
  type Schedule,
} from "../../../functions/domain/schedule/schedule.ts";

function scheduleOf(text: string, zone?: string): Schedule {
  const schedule = parseSchedule(text, zone);
  if (schedule.kind === "invalid") throw new Error(schedule.reason);
  return schedule;
}

function next(schedule: Schedule, after: string): string | null {
  return nextRunAfter(schedule, new Date(after))?.toISOString() ?? null;
}

describe("the next time, in UTC", () => {
  test.for([
    { text: "0 3 * * *", after: "2026-03-01T02:59:59Z", next: "2026-03-01T03:00Z" },
    { text: "0 3 * * *", after: "2026-03-01T03:00:00Z", next: "2026-03-02T03:00Z" },
    { text: "0 3 * * *", after: "2026-03-01T02:59:59.999Z", next: "2026-03-01T03:00Z" },
    { text: " 0  3\t* * * ", after: "2026-03-01T00:00:00Z", next: "2026-03-01T03:00Z" },
    { text: "0/15 * * * *", after: "2012-07-09T14:45:00Z", next: "2012-07-09T15:00Z" },
    { text: "0/15 * * * *", after: "2012-07-09T14:59:59Z", next: "2012-07-09T15:00Z" },
    { text: "5/15 * * * *", after: "2012-07-09T15:40:00Z", next: "2012-07-09T15:50Z" },
    { text: "20-35/15 * * * *", after: "2012-07-09T15:45:00Z", next: "2012-07-09T16:20Z" },
    { text: "*/15 * * * *", after: "2012-07-09T23:46:00Z", next: "2012-07-10T00:00Z" },
    { text: "20-35/15 1/2 * * *", after: "2012-07-09T23:35:51Z", next: "2012-07-10T01:20Z" },
    { text: "20-35/15 10-12 * * *", after: "2012-07-09T23:35:51Z", next: "2012-07-10T10:20Z" },
    { text: "20-35/15 1/2 */2 * *", after: "2012-07-09T23:35:51Z", next: "2012-07-11T01:20Z" },
    { text: "20-35/15 * 9-20 Jul *", after: "2012-07-09T23:35:51Z", next: "2012-07-10T00:20Z" },
    { text: "0 0 9 Apr-Oct ?", after: "2012-07-09T23:35:00Z", next: "2012-08-09T00:00Z" },
    { text: "0 0 */5 Apr,Aug,Oct Mon", after: "2012-07-09T23:35:00Z", next: "2012-08-01T00:00Z" },
    { text: "0 0 * Feb Mon", after: "2012-07-09T23:35:00Z", next: "2013-02-04T00:00Z" },
    { text: "0 0 * Feb Mon/2", after: "2012-07-09T23:35:00Z", next: "2013-02-01T00:00Z" },
    { text: "30 08 ? JUL sun", after: "2012-07-14T00:00:00Z", next: "2012-07-15T08:30Z" },
    { text: "30 08 15 jul ?", after: "2012-07-14T00:00:00Z", next: "2012-07-15T08:30Z" },
    { text: "* * * * *", after: "2012-12-31T23:59:45Z", next: "2013-01-01T00:00Z" },
    { text: "+5,,7 * * * *", after: "2026-03-01T00:05:00Z", next: "2026-03-01T00:07Z" },
    { text: "0 */100 * * *", after: "2026-03-01T00:00:00Z", next: "2026-03-02T00:00Z" },
    { text: "0 0 29 2 *", after: "2025-01-01T00:00:00Z", next: "2028-02-29T00:00Z" },
    { text: "0 0 31 * *", after: "2026-01-31T00:00:00Z", next: "2026-03-31T00:00Z" },
    { text: "0 0 29 2 *", after: "2012-07-09T23:35:00Z", next: "2016-02-29T00:00Z" },
  ])("$text after $after is $next", ({ text, after, next: expected }) => {
    expect(next(scheduleOf(text), after)).toBe(expected.replace("Z", ":00.000Z"));
  });

  test.for(["0 0 30 2 *", "0 0 31 4,6,9,11 ?", "0 0 30-31 FEB *"])("%s never comes", (text) => {
    expect(parseSchedule(text)).toMatchObject({ kind: "invalid", reason: expect.stringContaining("never comes") });
  });

  test.for(["0 0 30 2,3 *", "0 0 31 * *", "0 0 30 2 MON", "0 0 29,31 2 *"])("%s comes", (text) => {
    expect(next(scheduleOf(text), "2026-03-01T00:00:00Z")).not.toBeNull();
  });
});

describe("two restricted day fields mean either of them", () => {
  // 2012-07-08 and 2012-07-15 were Sundays.
  test.for([
    { text: "0 0 1,15 * Sun", after: "2012-07-01T00:00:00Z", next: "2012-07-08" },
    { text: "0 0 1,15 * Sun", after: "2012-07-29T00:00:00Z", next: "2012-08-01" },
    { text: "0 0 */10 * Sun", after: "2012-07-01T00:00:00Z", next: "2012-07-08" },
    { text: "0 0 */10 * Sun", after: "2012-07-08T00:00:00Z", next: "2012-07-11" },
    { text: "0 0 1-31 * Sun", after: "2012-07-01T00:00:00Z", next: "2012-07-02" },
    { text: "0 0 15 * */2", after: "2012-07-08T00:00:00Z", next: "2012-07-10" },
    { text: "0 0 */1 * Sun", after: "2012-07-01T00:00:00Z", next: "2012-07-08" },
    { text: "0 0 5,* * Sun", after: "2012-07-01T00:00:00Z", next: "2012-07-08" },
    { text: "0 0 * * Mon", after: "2012-07-15T00:00:00Z", next: "2012-07-16" },
    { text: "0 0 1,15 * *", after: "2012-07-01T00:00:00Z", next: "2012-07-15" },
    { text: "0 0 15 * ?", after: "2012-07-01T00:00:00Z", next: "2012-07-15" },
  ])("$text after $after is $next", ({ text, after, next: expected }) => {
    expect(next(scheduleOf(text), after)).toBe(`${expected}T00:00:00.000Z`);
  });
});

describe("descriptors", () => {
  test.for([
    { text: "@yearly", next: "2027-01-01T00:00:00.000Z" },
    { text: "@annually", next: "2027-01-01T00:00:00.000Z" },
    { text: "@monthly", next: "2026-05-01T00:00:00.000Z" },
    { text: "@weekly", next: "2026-04-19T00:00:00.000Z" },
    { text: "@daily", next: "2026-04-16T00:00:00.000Z" },
    { text: "@midnight", next: "2026-04-16T00:00:00.000Z" },
    { text: "@hourly", next: "2026-04-15T11:00:00.000Z" },
    { text: "TZ=Asia/Tokyo @daily", next: "2026-04-15T15:00:00.000Z" },
    { text: "@every 1h30m", next: "2026-04-15T12:00:15.000Z" },
    { text: "@every 1m0.9s", next: "2026-04-15T10:31:15.000Z" },
    { text: "@every 10ms", next: "2026-04-15T10:30:16.000Z" },
  ])("$text", ({ text, next: expected }) => {
    expect(next(scheduleOf(text), "2026-04-15T10:30:15.700Z")).toBe(expected);
  });
});

describe("a time of a schedule has come within an hour", () => {
  test.for([
    { when: "at it", now: "2026-03-02T03:00:00Z", come: true },
    { when: "just before it", now: "2026-03-02T02:59:59.999Z", come: false },
    { when: "at the end of the tolerance", now: "2026-03-02T03:59:59.999Z", come: true },
    { when: "after the tolerance", now: "2026-03-02T04:00:00Z", come: false },
    { when: "checked the day before", now: "2026-03-02T03:20:00Z", last: "2026-03-01T03:01:00Z", come: true },
    { when: "checked since", now: "2026-03-02T03:20:00Z", last: "2026-03-02T03:00:00Z", come: false },
    { when: "checked in the future", now: "2026-03-02T03:20:00Z", last: "2027-03-02T03:00:00Z", come: false },
    { when: "never checked, and not at its time", now: "2026-03-02T20:53:00Z", come: false },
    { when: "of the year 9999, and never again", now: "9999-12-31T23:59:00Z", come: false },
  ])("$when: $come", ({ now, last, come }) => {
    const since = last === undefined ? null : new Date(last);
    expect(hasComeWithin(scheduleOf("0 3 * * *"), 3600, since, new Date(now))).toBe(come);
  });
});

describe("isDue after the next time since the last check", () => {
  test.for([
    { text: "0 3 * * *", last: "2026-03-01T03:00:00Z", now: "2026-03-02T03:01:00Z", due: true },
    { text: "0 3 * * *", last: "2026-03-01T03:00:00Z", now: "2026-03-01T04:00:00Z", due: false },
    { text: "0 3 * * *", last: "2026-03-01T03:00:00Z", now: "2026-03-02T03:00:00Z", due: false },
    { text: "0 3 * * *", last: "2026-03-01T03:00:00Z", now: "2026-03-02T03:00:00.001Z", due: true },
    { text: "0 3 * * *", last: "2026-03-01T03:00:00Z", now: "2026-02-01T00:00:00Z", due: false },
    { text: "@every 5m", last: "2026-03-01T03:00:00Z", now: "2026-03-01T03:05:01Z", due: true },
    { text: "0 3 * * *", last: "9999-12-31T03:00:00Z", now: "9999-12-31T23:00:00Z", due: false },
  ])("$text, last $last, now $now: $due", ({ text, last, now, due }) => {
    expect(isDue(scheduleOf(text), new Date(last), new Date(now))).toBe(due);
  });

  test("and if there was no check yet", () => {
    expect(isDue(scheduleOf("0 3 * * *"), null, new Date("2026-03-01T12:00:00Z"))).toBe(true);
  });
});
