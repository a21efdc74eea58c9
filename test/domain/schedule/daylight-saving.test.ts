import { Temporal } from "@js-temporal/polyfill";
import { expect, test } from "vitest";
import {
  isAnyWindowOpen,
  type MaintenanceWindow,
  nextOpening,
  parseWindow,
} from "../../../functions/domain/schedule/maintenance-windows.ts";
import { parseWeeklyWindows } from "../../../functions/domain/schedule/weekly-windows.ts";

const first = Temporal.PlainDate.from("2026-01-01");
const days = 730;
const hourMs = 3_600_000;

/** Returns the instants of a wall-clock time on each day, as Temporal knows them: none if it is skipped, two if it repeats. */
function startsOf(zone: string, time: string): readonly number[] {
  return Array.from({ length: days }, (_, day) => first.add({ days: day })).flatMap((date) => {
    const wallClock = date.toPlainDateTime(time);
    const found = (["earlier", "later"] as const).map((disambiguation) =>
      wallClock.toZonedDateTime(zone, { disambiguation }),
    );
    const existing = found.filter((instant) => instant.toPlainDateTime().equals(wallClock));
    return [...new Set(existing.map(({ epochMilliseconds }) => epochMilliseconds))];
  });
}

function windowOf(zone: string, start: string): MaintenanceWindow {
  const parsed = parseWeeklyWindows([{ start, duration: "3h", timeZone: zone }]);
  return parseWindow((parsed.kind === "valid" ? parsed.value : [])[0] as never) as MaintenanceWindow;
}

test.for([
  // In 2026 and 2027 these many openings are missing, or are a second one in a night.
  { zone: "Europe/Berlin", start: "02:30", skipped: 2, repeated: 2 },
  { zone: "America/New_York", start: "02:30", skipped: 2, repeated: 0 },
  { zone: "America/Santiago", start: "00:00", skipped: 2, repeated: 0 },
  { zone: "Australia/Lord_Howe", start: "01:45", skipped: 0, repeated: 2 },
  { zone: "Pacific/Chatham", start: "03:00", skipped: 2, repeated: 2 },
])("in two years, a window at $start in $zone opens when Temporal says", ({ zone, start, skipped, repeated }) => {
  const window = windowOf(zone, start);
  const expected = startsOf(zone, start);
  const nights = new Set(
    expected.map((at) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()),
  );
  expect({ skipped: days - nights.size, repeated: expected.length - nights.size }).toEqual({ skipped, repeated });
  const opened: number[] = [];
  let at = new Date((expected[0] as number) - 1);
  while (opened.length < expected.length) {
    at = nextOpening([window], at) as Date;
    opened.push(at.getTime());
  }
  expect(opened).toEqual(expected);
  const wrong = expected.flatMap((opening) => {
    const isOpen = (offset: number) => isAnyWindowOpen([window], new Date(opening + offset));
    // Of two openings in a night, the second prolongs the first.
    const repeats = expected.some((other) => other !== opening && Math.abs(other - opening) < 4 * hourMs);
    const found = [isOpen(0), isOpen(3 * hourMs - 1000), repeats || !isOpen(-1000), repeats || !isOpen(3 * hourMs)];
    return found.every(Boolean) ? [] : [new Date(opening).toISOString()];
  });
  expect(wrong).toEqual([]);
});
