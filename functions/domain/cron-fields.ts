import { type Invalid, invalid } from "./invalid.ts";

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names for `min` and what follows it. */
  readonly words: readonly string[];
}

const minutes: Field = { name: "minute", min: 0, max: 59, words: [] };
const hours: Field = { name: "hour", min: 0, max: 23, words: [] };
const daysOfMonth: Field = { name: "day of month", min: 1, max: 31, words: [] };
const monthWords = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const months: Field = { name: "month", min: 1, max: 12, words: monthWords };
const dayWords = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const daysOfWeek: Field = { name: "day of week", min: 0, max: 6, words: dayWords };

/**
 * Reads five cron fields as robfig/cron v3 `ParseStandard` does, and writes them without steps, ranges and names.
 * A `*` stays where robfig sets its star bit, that is for a star without a step above 1: such a field is not restricted,
 * and of two day fields that are both restricted either one is enough.
 */
export function normaliseFields(text: string): string | Invalid {
  const written = text.split(/\s+/);
  if (!isFive(written)) {
    return invalid(text, `has ${written.length} fields, not 5: minute, hour, day of month, month, day of week`);
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = written;
  const read = [
    readField(minute, minutes),
    readField(hour, hours),
    readField(dayOfMonth, daysOfMonth),
    readField(month, months),
    readField(dayOfWeek, daysOfWeek),
  ];
  const problem = read.find((values) => typeof values !== "string");
  return problem ?? read.filter((values) => typeof values === "string").join(" ");
}

function isFive(fields: readonly string[]): fields is readonly [string, string, string, string, string] {
  return fields.length === 5;
}

function readField(text: string, field: Field): string | Invalid {
  const ranges = text.split(",").filter((range) => range !== "");
  if (ranges.length === 0) return invalid(text, `names no ${field.name}: ${allowed(field)}`);
  const all = new Set<number>();
  let hasStar = false;
  for (const range of ranges) {
    const read = readRange(range, field);
    if ("kind" in read) return read;
    for (const value of read.values) all.add(value);
    hasStar ||= read.isStar;
  }
  return hasStar ? "*" : [...all].sort((a, b) => a - b).join(",");
}

function readRange(text: string, field: Field): { values: number[]; isStar: boolean } | Invalid {
  const [span, stepText] = cut(text, "/");
  const step = stepText === null ? 1 : readNumber(stepText);
  if (step === null || step === 0) return invalid(text, "has no step: a whole number above 0 belongs after the slash");
  if (span === "*" || span === "?") return { values: series(field.min, field.max, step), isStar: step === 1 };
  const [lowText, highText] = cut(span, "-");
  const low = readValue(lowText, field);
  const open = stepText === null ? low : field.max;
  const high = highText === null ? open : readValue(highText, field);
  if (low === null || high === null) return invalid(text, `is no ${field.name}: ${allowed(field)}`);
  if (low < field.min || high > field.max)
    return invalid(text, `is out of range for the ${field.name}: ${allowed(field)}`);
  if (low > high) return invalid(text, `ends before it begins: write the lower ${field.name} first`);
  return { values: series(low, high, step), isStar: false };
}

function readValue(text: string, { words, min }: Field): number | null {
  const word = words.indexOf(text.toUpperCase());
  return word === -1 ? readNumber(text) : min + word;
}

function readNumber(text: string): number | null {
  return /^\+?\d+$/.test(text) ? Number(text) : null;
}

function series(low: number, high: number, step: number): number[] {
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step);
}

function allowed({ min, max, words }: Field): string {
  return `${min} to ${max}${words.length === 0 ? "" : ` or ${words[0]} to ${words.at(-1)}`} are allowed`;
}

function cut(text: string, separator: string): readonly [string, string | null] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
