import { type ParseError, invalid } from "../text/parse-error.ts";

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names for `min` and the values after it. */
  readonly names: readonly string[];
}

const minutes: Field = { name: "minute", min: 0, max: 59, names: [] };
const hours: Field = { name: "hour", min: 0, max: 23, names: [] };
const daysOfMonth: Field = { name: "day of month", min: 1, max: 31, names: [] };
const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const months: Field = { name: "month", min: 1, max: 12, names: monthNames };
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const daysOfWeek: Field = { name: "day of week", min: 0, max: 6, names: dayNames };

/**
 * Parses five cron fields as robfig/cron v3 `ParseStandard` does, and formats them without steps, ranges and names. A
 * `*` stays if robfig sets its star bit, that is for a star without a step above 1: such a field is not restricted,
 * and of two restricted day fields either one is enough.
 */
export function normalizeCronFields(text: string): string | ParseError {
  const parts = text.split(/\s+/);
  if (!hasFiveFields(parts)) {
    return invalid(text, `has ${parts.length} fields, not 5: minute, hour, day of month, month, day of week`);
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = parts;
  const parsed = [
    parseField(minute, minutes),
    parseField(hour, hours),
    parseField(dayOfMonth, daysOfMonth),
    parseField(month, months),
    parseField(dayOfWeek, daysOfWeek),
  ];
  const problem = parsed.find((values) => typeof values !== "string");
  return problem ?? parsed.filter((values) => typeof values === "string").join(" ");
}

function hasFiveFields(fields: readonly string[]): fields is readonly [string, string, string, string, string] {
  return fields.length === 5;
}

function parseField(text: string, field: Field): string | ParseError {
  const ranges = text.split(",").filter((range) => range !== "");
  if (ranges.length === 0) return invalid(text, `contains no ${field.name}: ${describeAllowed(field)}`);
  const all = new Set<number>();
  let hasStar = false;
  for (const range of ranges) {
    const read = parseRange(range, field);
    if ("kind" in read) return read;
    for (const value of read.values) all.add(value);
    hasStar ||= read.isStar;
  }
  return hasStar ? "*" : [...all].sort((a, b) => a - b).join(",");
}

function parseRange(text: string, field: Field): { values: number[]; isStar: boolean } | ParseError {
  const [span, stepText] = splitOnce(text, "/");
  const step = stepText === null ? 1 : parseNumber(stepText);
  if (step === null || step === 0) return invalid(text, "has an invalid step: use an integer above 0 after the slash");
  if (span === "*" || span === "?") return { values: sequence(field.min, field.max, step), isStar: step === 1 };
  const [lowText, highText] = splitOnce(span, "-");
  const low = parseValue(lowText, field);
  const open = stepText === null ? low : field.max;
  const high = highText === null ? open : parseValue(highText, field);
  if (low === null || high === null) return invalid(text, `is not a valid ${field.name}: ${describeAllowed(field)}`);
  if (low < field.min || high > field.max)
    return invalid(text, `is out of range for the ${field.name}: ${describeAllowed(field)}`);
  if (low > high) return invalid(text, `ends before it begins: use the lower ${field.name} first`);
  return { values: sequence(low, high, step), isStar: false };
}

function parseValue(text: string, { names, min }: Field): number | null {
  const word = names.indexOf(text.toUpperCase());
  return word === -1 ? parseNumber(text) : min + word;
}

function parseNumber(text: string): number | null {
  return /^\+?\d+$/.test(text) ? Number(text) : null;
}

function sequence(low: number, high: number, step: number): number[] {
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step);
}

function describeAllowed({ min, max, names }: Field): string {
  return `${min} to ${max}${names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`} are allowed`;
}

function splitOnce(text: string, separator: string): readonly [string, string | null] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, null] : [text.slice(0, index), text.slice(index + 1)];
}
