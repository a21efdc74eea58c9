import * as v from "valibot";
import { closedObject, durationSeconds, refine, text, trimmedText } from "../text/schema.ts";
import { type Validation, validate } from "../text/schema-problems.ts";
import { parseWindow, type RawWindow } from "./maintenance-windows.ts";

const maxWindows = 20;
/** A longer one that starts once a week is always open. */
const maxWindowSeconds = 7 * 86_400;

const time = text(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day such as 22:00");
const day = text(/^[a-z]{3}(-[a-z]{3})?$/i, "a day such as Mon, or days such as Mon-Fri");

const window = v.pipe(
  closedObject({
    days: v.nullish(v.pipe(v.array(day), v.minLength(1), v.maxLength(7)), null),
    start: time,
    duration: durationSeconds(60, maxWindowSeconds),
    timeZone: v.nullish(trimmedText("an IANA time zone"), "UTC"),
  }),
  refine((written) => {
    const parsed = parseWindow(toRawWindow(written));
    return parsed.kind === "window" ? null : parsed.reason;
  }),
  v.transform((written) => toRawWindow(written)),
);

const schema = v.pipe(
  v.array(window),
  v.minLength(1, "a list of windows"),
  v.maxLength(maxWindows, "at most 20 windows"),
);

interface WeeklyWindow {
  /** Every day if it is null. */
  readonly days: readonly string[] | null;
  readonly start: string;
  readonly duration: number;
  readonly timeZone: string;
}

/** Parses windows that open on some days of the week, as YAML or JSON has them. */
export function parseWeeklyWindows(written: unknown): Validation<readonly RawWindow[]> {
  return validate(schema, written, "windows");
}

function toRawWindow({ days, start, duration, timeZone }: WeeklyWindow): RawWindow {
  const [hour, minute] = start.split(":").map(Number);
  return {
    schedule: `${minute} ${hour} * * ${days === null ? "*" : days.join(",").toUpperCase()}`,
    durationSeconds: Math.ceil(duration),
    zone: timeZone,
  };
}
