import { describe, expect, test } from "vitest";
import { isAnyWindowOpen, parseWindow } from "../../../functions/domain/schedule/maintenance-windows.ts";
import { parseWeeklyWindows } from "../../../functions/domain/schedule/weekly-windows.ts";

const valid = { start: "22:00", duration: "6h" };

test("windows are written by the days of a week", () => {
  const days = ["Mon-Thu", "sun"];
  expect(parseWeeklyWindows([valid, { days, start: "07:30", duration: "90m", timeZone: "Asia/Tokyo" }])).toEqual({
    kind: "valid",
    value: [
      { schedule: "0 22 * * *", durationSeconds: 21_600, zone: "UTC" },
      { schedule: "30 7 * * MON-THU,SUN", durationSeconds: 5400, zone: "Asia/Tokyo" },
    ],
  });
});

describe("invalid windows are named", () => {
  test.for([
    { written: "22:00", reason: "is not a list" },
    { written: [], reason: "has 0 entries" },
    { written: Array.from({ length: 21 }, () => valid), reason: "has 21 entries" },
    { written: [{ ...valid, duration: "0s" }], reason: "[0].duration" },
    { written: [{ ...valid, duration: "169h" }], reason: "[0].duration" },
    { written: [{ ...valid, duration: "6 hours" }], reason: "[0].duration" },
    { written: [{ duration: "6h" }], reason: "[0].start" },
    { written: [{ ...valid, start: "24:00" }], reason: "a time of day such as 22:00" },
    { written: [{ ...valid, start: "9:00" }], reason: "a time of day such as 22:00" },
    { written: [{ ...valid, timeZone: "Mars/Phobos" }], reason: '"Mars/Phobos" is not a time zone' },
    { written: [{ ...valid, timeZone: " " }], reason: "an IANA time zone" },
    { written: [{ ...valid, days: [] }], reason: "[0].days: has 0 entries" },
    { written: [{ ...valid, days: ["Monday"] }], reason: "a day such as Mon" },
    { written: [{ ...valid, days: ["Foo"] }], reason: '"FOO" is not a valid day of week' },
    { written: [{ ...valid, days: ["Fri-Mon"] }], reason: "ends before it begins" },
    { written: [{ ...valid, days: Array.from({ length: 8 }, () => "Mon") }], reason: "has 8 entries" },
    { written: [{ ...valid, zone: "UTC" }], reason: "zone" },
  ])("$written", ({ written, reason }) => {
    const parsed = parseWeeklyWindows(written);
    const reasons = parsed.kind === "invalid" ? parsed.problems.map((problem) => problem.reason).join("; ") : "valid";
    expect(reasons).toContain(reason);
  });
});

const minute = 60_000;
const hour = 60 * minute;

/** The wall clock of a zone as `Intl` of the runtime shows it. */
function wallClock(zone: string) {
  const options = { timeZone: zone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-US", options);
  return (instant: number) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return { day: parts["weekday"] ?? "", time: `${parts["hour"]}:${parts["minute"]}` };
  };
}

describe("for two years, windows are open as the wall clock of Intl says, in", () => {
  // Lord Howe changes by half an hour, Kolkata never. In each zone a window starts in the hour that is skipped and repeats.
  test.for([
    { zone: "Europe/Berlin", windows: [{ days: ["Sun"], start: "02:30", duration: "45m" }] },
    { zone: "America/New_York", windows: [{ days: ["Sat", "Sun"], start: "01:30", duration: "1h" }] },
    { zone: "Australia/Lord_Howe", windows: [{ start: "02:00", duration: "2h" }] },
    { zone: "America/Sao_Paulo", windows: [{ days: ["Mon-Thu"], start: "22:00", duration: "30h" }] },
    { zone: "Asia/Kolkata", windows: [{ start: "00:30", duration: "23h" }] },
  ])("$zone", ({ zone, windows: written }) => {
    const parsed = parseWeeklyWindows(written.map((one) => ({ ...one, timeZone: zone })));
    if (parsed.kind === "invalid") throw new Error("invalid");
    const windows = parsed.value.map((raw) => parseWindow(raw)).filter((one) => one.kind === "window");
    const [{ days = ["Mon-Thu", "Fri", "Sat", "Sun"], start } = { start: "" }] = written as readonly {
      days?: readonly string[];
      start: string;
    }[];
    const isDay = (day: string) => days.includes(day) || (days.includes("Mon-Thu") && /Mon|Tue|Wed|Thu/.test(day));
    const durationMs = (parsed.value[0]?.durationSeconds ?? 0) * 1000;
    const shown = wallClock(zone);
    const starts: number[] = [];
    for (let at = Date.parse("2026-01-01T00:00Z"); at < Date.parse("2028-01-01T00:00Z"); at += 30 * minute) {
      const { day, time } = shown(at);
      if (time === start && isDay(day)) starts.push(at);
    }
    const isOpen = (at: number) => starts.some((begin) => begin <= at && at < begin + durationMs);
    const wrong = starts
      .flatMap((begin) => [begin - 1, begin, begin + durationMs - 1, begin + durationMs, begin + 12 * hour])
      .filter((at) => at > Date.parse("2026-01-04T00:00Z"))
      .filter((at) => isAnyWindowOpen(windows, new Date(at)) !== isOpen(at));
    expect(wrong.map((at) => new Date(at).toISOString())).toEqual([]);
    expect(starts.length).toBeGreaterThan(100);
  });
});
