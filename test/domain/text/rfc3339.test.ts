import { describe, expect, test } from "vitest";
import { formatRfc3339, fromEpoch, parseRfc3339, secondsBetween } from "../../../functions/domain/text/rfc3339.ts";

describe("parseRfc3339 parses a time", () => {
  test.for([
    { text: "2026-03-01T12:30:15Z", expected: "2026-03-01T12:30:15.000Z" },
    { text: "2026-03-01T12:30:15+02:00", expected: "2026-03-01T10:30:15.000Z" },
    { text: "2026-01-01T00:00:00-05:30", expected: "2026-01-01T05:30:00.000Z" },
    { text: "2026-03-01T12:30:15.25Z", expected: "2026-03-01T12:30:15.250Z" },
    { text: "2026-03-01T12:30:15.123456789Z", expected: "2026-03-01T12:30:15.123Z" },
    { text: "2024-02-29T00:00:00Z", expected: "2024-02-29T00:00:00.000Z" },
  ])("$text", ({ text, expected }) => {
    expect(parseRfc3339(text)?.toISOString()).toBe(expected);
  });

  test.for([
    "",
    "not-a-time",
    "2026-03-01",
    "2026-03-01T12:30Z",
    "2026-03-01 12:30:15Z",
    "2026-03-01t12:30:15z",
    "2026-03-01T12:30:15",
    "2026-03-01T12:30:15+0200",
    "2026-03-01T12:30:15+25:00",
    "2026-13-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T12:60:00Z",
    "2026-03-01T12:30:60Z",
    " 2026-03-01T12:30:15Z",
    "2026-03-01T12:30:15Z\n",
  ])("%j is invalid", (text) => {
    expect(parseRfc3339(text)).toBeNull();
  });
});

test("formatRfc3339 formats whole seconds of UTC, which parse again", () => {
  const written = formatRfc3339(fromEpoch(Date.UTC(2026, 2, 1, 12, 30, 15, 987)));
  expect(written).toBe("2026-03-01T12:30:15Z");
  expect(parseRfc3339(written)).toEqual(new Date("2026-03-01T12:30:15Z"));
});

test.for([
  { start: "2026-03-01T12:00:00Z", end: "2026-03-01T12:10:00Z", seconds: 600 },
  { start: "2026-03-01T12:00:00Z", end: "2026-03-01T12:00:00.5Z", seconds: 0.5 },
  { start: "2026-03-01T12:00:00Z", end: "2026-03-01T11:59:00Z", seconds: -60 },
])("from $start to $end: $seconds s", ({ start, end, seconds }) => {
  expect(secondsBetween(new Date(start), new Date(end))).toBe(seconds);
});
