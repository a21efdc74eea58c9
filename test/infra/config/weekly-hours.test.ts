import { runInNewContext } from "node:vm";
import { Cron } from "croner";
import { describe, expect, test } from "vitest";
import { weeklyHours } from "../../../infra/config/schedule/weekly-hours.ts";
import { pollsInHours } from "../../../infra/constructs/alarms/heartbeat.ts";

const hour = 3_600_000;
const quartz = { mode: "7-part", alternativeWeekdays: true, sloppyRanges: true } as const;

/** Weeks in both halves of the year, and after each change of the clocks. */
const mondays = ["2027-01-11", "2027-03-15", "2027-03-29", "2027-07-12", "2027-10-11", "2027-11-08"];

/** Returns the hours of a week in which a schedule runs, as epoch milliseconds of their start. */
function hoursOfRuns(expression: string, timezone: string, monday: Date): ReadonlySet<number> {
  const cron = new Cron(`0 ${expression.slice(5, -1)}`, { timezone, ...quartz });
  const runs = cron.nextRuns(170, new Date(monday.getTime() - 1)).map((run) => run.getTime());
  return new Set(runs.map((time) => time - (time % hour)));
}

describe("in summer and winter, a schedule runs in each of its hours", () => {
  test.for([
    { expression: "cron(0 6-20 ? * MON-FRI *)", timeZone: "Europe/Berlin" },
    { expression: "cron(0 8-18 ? * MON-FRI *)", timeZone: "America/New_York" },
    { expression: "cron(0 9-17 ? * MON-FRI *)", timeZone: "Australia/Adelaide" },
    { expression: "cron(0 9-17 ? * 1-5 *)", timeZone: "Asia/Kolkata" },
    { expression: "cron(0 22-23 * * ? *)", timeZone: "Asia/Tokyo" },
  ])("$expression in $timeZone", ({ expression, timeZone }) => {
    const { hours } = weeklyHours(expression, timeZone)!;
    for (const monday of mondays.map((day) => new Date(`${day}T00:00:00Z`))) {
      const runs = hoursOfRuns(expression, timeZone, monday);
      const watched = [...hours].map((index) => monday.getTime() + index * hour);
      const missing = watched.filter((time) => !runs.has(time)).map((time) => new Date(time).toISOString());
      expect(missing).toEqual([]);
    }
    expect(hours.size).toBeGreaterThan(10);
  });
});

test.for([
  "cron(0 6 1 * ? *)",
  "cron(0/15 6-20 ? JAN MON-FRI *)",
  "cron(0/15 6-20 ? * 6L *)",
  "cron(0/15 6-20 ? * 2#1 *)",
  "cron(0 6 ? * MON 2028)",
])("%s is not the same every week", (expression) => {
  expect(weeklyHours(expression, "UTC")).toBeNull();
});

test("a run at the end of an hour does not count: the poll may complete in the next one", () => {
  expect(weeklyHours("cron(50 6-20 ? * MON-FRI *)", "UTC")).toBeNull();
});

/** Evaluates the expression of CloudWatch at an hour of a week. */
function evaluate(expression: string, at: number, polls: number): number {
  const script = expression
    .replaceAll("TIME_SERIES(1)", "")
    .replaceAll("DAY()", String(Math.floor(at / 24) + 1))
    .replaceAll("HOUR()", String(at % 24))
    .replaceAll("AND", "&&")
    .replaceAll("OR", "||")
    .replaceAll("FILL(polls, 0)", String(polls));
  return runInNewContext(script, {
    IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
  }) as number;
}

test.for([
  { expression: "cron(0/15 6-20 ? * MON-FRI *)", timeZone: "Europe/Berlin" },
  { expression: "cron(0/15 8-12,14-18 ? * MON,WED-FRI,SUN *)", timeZone: "UTC" },
  { expression: "cron(0/15 20-23 ? * SUN *)", timeZone: "America/Los_Angeles" },
])("the alarm counts polls in the hours of $expression in $timeZone, and no others", ({ expression, timeZone }) => {
  const { hours } = weeklyHours(expression, timeZone)!;
  const formula = pollsInHours(hours);
  expect(formula.length).toBeLessThan(1024);
  for (let at = 0; at < 168; at += 1) {
    expect([at, evaluate(formula, at, 0)]).toEqual([at, hours.has(at) ? 0 : 1]);
    expect(evaluate(formula, at, 4)).toBeGreaterThan(0);
  }
});
