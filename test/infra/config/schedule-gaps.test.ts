import { describe, expect, test } from "vitest";
import { longestGapSeconds, shortestGapSeconds } from "../../../infra/config/schedule/schedule-gaps.ts";
import { retryPolicy } from "../../../infra/constructs/schedule/retry-policy.ts";
import { computeHeartbeat } from "../../../infra/constructs/alarms/heartbeat.ts";
import { jitterMinutes, flexibleTimeWindow } from "../../../infra/constructs/schedule/flexible-time-window.ts";

const hour = 3600;
const day = 86_400;

describe("the longest gap of", () => {
  test.for([
    { expression: "rate(5 minutes)", gap: 300 },
    { expression: "rate(2 days)", gap: 2 * day },
    { expression: "cron(0/15 * * * ? *)", gap: 900 },
    { expression: "cron(0 3 * * ? *)", gap: day },
    { expression: "cron(0/15 6-20 ? * MON-FRI *)", gap: 2 * day + 9.25 * hour },
    { expression: "cron(0 9 ? * 2 *)", gap: 7 * day },
    { expression: "cron(0 9 ? * 1,2,3,4,5,6,7 *)", gap: day },
    { expression: "cron(0 0 1 JAN ? 2027-2029)", gap: 366 * day },
    { expression: "cron(0 0 1 JAN ? 1999)", gap: null },
  ])("$expression is $gap seconds", ({ expression, gap }) => {
    expect(longestGapSeconds(expression, "UTC")).toBe(gap);
  });

  test("a day in a zone whose clocks go back is an hour longer", () => {
    expect(longestGapSeconds("cron(0 3 * * ? *)", "Europe/Berlin")).toBe(25 * hour);
  });
});

describe("the heartbeat of", () => {
  test.for([
    { expression: "rate(1 minute)", heartbeat: { periodSeconds: 660, periods: 1, hours: null } },
    { expression: "rate(5 minutes)", heartbeat: { periodSeconds: 900, periods: 1, hours: null } },
    { expression: "rate(5 minutes)", timeout: 900, heartbeat: { periodSeconds: 2100, periods: 1, hours: null } },
    { expression: "rate(1 hour)", heartbeat: { periodSeconds: 7200, periods: 1, hours: null } },
    { expression: "cron(0 3 * * ? *)", heartbeat: { periodSeconds: day, periods: 2, hours: null } },
    { expression: "cron(0 0,6,12,18 * * ? *)", heartbeat: { periodSeconds: 25_200, periods: 1, hours: null } },
    { expression: "cron(0 9 ? * MON *)", heartbeat: null },
  ])("$expression", ({ expression, timeout = 300, heartbeat }) => {
    expect(computeHeartbeat({ expression, timeZone: "UTC", enabled: true, timeout })).toEqual(heartbeat);
  });

  test.for([
    { expression: "cron(0/15 6-20 ? * MON-FRI *)", count: 75, periods: 1 },
    { expression: "cron(0 6-20 ? * MON-FRI *)", count: 75, periods: 2 },
    { expression: "cron(0/30 9-17 * * ? *)", count: 63, periods: 1 },
  ])("$expression is watched in $count hours of a week", ({ expression, count, periods }) => {
    const { hours, ...rest } = computeHeartbeat({ expression, timeZone: "UTC", enabled: true, timeout: 300 })!;
    expect(rest).toEqual({ periodSeconds: hour, periods });
    expect(hours?.size).toBe(count);
  });

  test("a disabled schedule has no heartbeat", () => {
    expect(
      computeHeartbeat({ expression: "rate(5 minutes)", timeZone: "UTC", enabled: false, timeout: 300 }),
    ).toBeNull();
  });
});

describe("the jitter", () => {
  test.for([
    { expression: "rate(1 minute)", gap: 60, minutes: 0 },
    { expression: "rate(5 minutes)", gap: 300, minutes: 1 },
    { expression: "cron(0/15 6-20 ? * MON-FRI *)", gap: 900, minutes: 3 },
    { expression: "cron(* 9-17 ? * MON-FRI *)", gap: 60, minutes: 0 },
    { expression: "cron(0 3 * * ? *)", gap: day, minutes: 5 },
    { expression: "cron(0 0 1 JAN ? 2028)", gap: null, minutes: 5 },
  ])("is $minutes minutes if $expression has a shortest gap of $gap seconds", ({ expression, gap, minutes }) => {
    expect(shortestGapSeconds(expression)).toBe(gap);
    expect(jitterMinutes({ expression })).toBe(minutes);
  });

  test.for([
    { expression: "rate(4 minutes)", window: { mode: "OFF" } },
    { expression: "rate(10 minutes)", window: { mode: "FLEXIBLE", maximumWindowInMinutes: 2 } },
  ])("is a flexible time window of EventBridge Scheduler: $expression", ({ expression, window }) => {
    expect(flexibleTimeWindow({ expression, timeZone: "UTC", enabled: true })).toEqual(window);
  });
});

test.for([
  { expression: "rate(1 minute)", attempts: 0, ageSeconds: 60 },
  { expression: "rate(5 minutes)", attempts: 0, ageSeconds: 300 },
  { expression: "cron(0 3 * * ? *)", attempts: 3, ageSeconds: hour },
])(
  "an invocation of $expression is retried $attempts times, for $ageSeconds seconds",
  ({ expression, attempts, ageSeconds }) => {
    expect(retryPolicy({ expression, timeZone: "UTC", enabled: true })).toEqual({
      maximumRetryAttempts: attempts,
      maximumEventAgeInSeconds: ageSeconds,
    });
  },
);
