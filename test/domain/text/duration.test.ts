import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDays, formatDuration, parseDays, parseDuration } from "../../../functions/domain/text/duration.ts";

describe("parseDuration parses as Go does", () => {
  test.for([
    { text: "10m", seconds: 600 },
    { text: "1h30m", seconds: 5400 },
    { text: "90s", seconds: 90 },
    { text: "1.5h", seconds: 5400 },
    { text: ".5m", seconds: 30 },
    { text: "1.m", seconds: 60 },
    { text: "100ms", seconds: 0.1 },
    { text: "1h15m30.918273645s", seconds: 4530.918273645 },
    { text: "12us", seconds: 0.000012 },
    { text: "12µs", seconds: 0.000012 },
    { text: "12μs", seconds: 0.000012 },
    { text: "5ns", seconds: 5e-9 },
    { text: "0.3333333333333333333h", seconds: 1200 },
    { text: "1m1m", seconds: 120 },
    { text: "0", seconds: 0 },
    { text: "+0", seconds: 0 },
    { text: "0s", seconds: 0 },
    { text: "-1m", seconds: -60 },
    { text: "+5s", seconds: 5 },
    { text: "2562047h47m16s", seconds: 9223372036 },
  ])("$text is $seconds s", ({ text, seconds }) => {
    expect(parseDuration(text)).toEqual({ kind: "duration", seconds: expect.closeTo(seconds, 8) });
  });

  test.for([
    { text: "", part: "", reason: '"" is not a duration: use a number and its unit, such as 10m, 1h30m or 90s' },
    { text: "-", part: "", reason: '"" is not a duration: use a number and its unit, such as 10m, 1h30m or 90s' },
    { text: "3", part: "3", reason: '"3" has no unit: use 3s, 3m or 3h' },
    { text: "1h30", part: "30", reason: '"30" has no unit: use 30s, 30m or 30h' },
    { text: "1d", part: "1d", reason: '"1d" has an unknown unit: use ns, us, ms, s, m or h' },
    { text: "1h 30m", part: "1h ", reason: '"1h " has an unknown unit: use ns, us, ms, s, m or h' },
    { text: "10M", part: "10M", reason: '"10M" has an unknown unit: use ns, us, ms, s, m or h' },
    { text: "1toString", part: "1toString", reason: expect.stringContaining("has an unknown unit") },
    { text: "junk", part: "junk", reason: expect.stringContaining("is not a duration") },
    { text: ".s", part: ".s", reason: expect.stringContaining("is not a duration") },
    { text: "1.2.3s", part: "1.2.3s", reason: expect.stringContaining("is not a duration") },
    { text: "--5s", part: "-", reason: expect.stringContaining("is not a duration") },
    { text: "2562048h", part: "2562048h", reason: '"2562048h" is too long: the limit is 292 years' },
  ])("$text is invalid", ({ text, part, reason }) => {
    expect(parseDuration(text)).toEqual({ kind: "invalid", part, reason });
  });
});

describe("formatDuration formats as Go does", () => {
  test.for([
    { seconds: 0, text: "0s" },
    { seconds: 1, text: "1s" },
    { seconds: 90, text: "1m30s" },
    { seconds: 600, text: "10m0s" },
    { seconds: 3600, text: "1h0m0s" },
    { seconds: 5400, text: "1h30m0s" },
    { seconds: 120.5, text: "2m0.5s" },
    { seconds: 4221137.962, text: "1172h32m17.962s" },
    { seconds: 0.1, text: "100ms" },
    { seconds: 0.0015, text: "1.5ms" },
    { seconds: 0.000012, text: "12µs" },
    { seconds: 5e-9, text: "5ns" },
    { seconds: 1e-12, text: "0s" },
    { seconds: -90, text: "-1m30s" },
  ])("$seconds s is $text", ({ seconds, text }) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  test("and parses to the same duration", () => {
    fc.assert(
      fc.property(fc.integer({ min: -8_640_000_000, max: 8_640_000_000 }), (milliseconds) => {
        const seconds = milliseconds / 1000;
        expect(parseDuration(formatDuration(seconds))).toEqual({ kind: "duration", seconds });
      }),
    );
  });
});

test.for([
  { text: "3d", seconds: 259_200, formatted: "3d" },
  { text: "1d12h", seconds: 129_600, formatted: "1d12h0m0s" },
  { text: "36h", seconds: 129_600, formatted: "1d12h0m0s" },
  { text: "90s", seconds: 90, formatted: "1m30s" },
  { text: "0", seconds: 0, formatted: "0s" },
])("a duration with days: $text is $seconds s", ({ text, seconds, formatted }) => {
  expect(parseDays(text)).toEqual({ kind: "duration", seconds });
  expect(formatDays(seconds)).toBe(formatted);
});

test.for(["3 days", "3", "", "d", "-3d", "1d-1h", "-1h", "3d2", "123456d"])("no duration with days: %s", (text) => {
  expect(parseDays(text)).toMatchObject({
    kind: "invalid",
    reason: expect.stringContaining("such as 3d, 1d12h or 36h"),
  });
});
