/** A field of `cron(...)`: the inclusive range of its numbers, their names, and other words that it allows. */
interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
  readonly words: RegExp | null;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** EventBridge Scheduler's fields; Sunday is 1. https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html */
const fields: readonly Field[] = [
  { name: "minutes", min: 0, max: 59, names: [], words: null },
  { name: "hours", min: 0, max: 23, names: [], words: null },
  {
    name: "day of month",
    min: 1,
    max: 31,
    names: [],
    words: /^(\?|LW?|L-([1-9]|[12][0-9]|30)|([1-9]|[12][0-9]|3[01])W)$/,
  },
  { name: "month", min: 1, max: 12, names: months, words: null },
  {
    name: "day of week",
    min: 1,
    max: 7,
    names: weekdays,
    words: /^(\?|L|([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5]))$/,
  },
  { name: "year", min: 1970, max: 2199, names: [], words: null },
];

/** As much of the grammar of `rate(...)` and `cron(...)` as a JSON Schema can express. */
export const schedulePattern =
  "^(rate\\(([1-9][0-9]{0,4} (minutes|hours|days)|1 (minute|hour|day))\\)|cron\\([0-9*,/-]+ [0-9*,/-]+ (\\? [0-9A-Za-z*,/-]+ [0-9A-Za-z*,/#-]+|[0-9A-Z*,/-]+ [0-9A-Za-z*,/-]+ \\?) [0-9*,/-]+\\))$";

/** Returns why a `rate(...)` or `cron(...)` is invalid in EventBridge Scheduler, or null. */
export function scheduleProblem(expression: string): string | null {
  const [, kind, inside] = /^(rate|cron)\(([^()]*)\)$/.exec(expression) ?? [];
  if (inside === undefined) return `"${expression}" is neither rate(...) nor cron(...)`;
  return kind === "rate" ? rateProblem(inside) : cronProblem(inside);
}

function rateProblem(inside: string): string | null {
  const [, value, unit] = /^([1-9][0-9]{0,4}) (minute|minutes|hour|hours|day|days)$/.exec(inside) ?? [];
  if (value === undefined || unit === undefined) return `"rate(${inside})" is not like rate(5 minutes)`;
  return Number(value) > 1 && !unit.endsWith("s") ? `"rate(${inside})": use ${unit}s` : null;
}

function cronProblem(inside: string): string | null {
  const parts = inside.split(" ");
  if (parts.length !== fields.length) return `"cron(${inside})" has ${parts.length} fields; EventBridge needs six`;
  for (const [index, field] of fields.entries()) {
    const reason = fieldProblem(field, parts[index] ?? "");
    if (reason !== null) return `"cron(${inside})": ${field.name} ${reason}`;
  }
  if ((parts[2] === "?") === (parts[4] === "?"))
    return `"cron(${inside})": use ? for exactly one of day of month and day of week`;
  return null;
}

function fieldProblem(field: Field, value: string): string | null {
  if (field.words?.test(value)) return null;
  const invalid = value.split(",").find((part) => !isPart(field, part));
  return invalid === undefined ? null : `cannot be "${invalid}"`;
}

/** Reports whether a part is `*`, `a` or `a-b`, with or without `/n`. */
function isPart(field: Field, part: string): boolean {
  const [, range = "", , step] = /^([^/]*)(\/([0-9]+))?$/.exec(part) ?? [];
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.max)) return false;
  if (range === "*") return true;
  const ends = range.split("-").map((end) => numberOf(field, end));
  return ends.length <= 2 && ends.every((end) => end >= field.min && end <= field.max);
}

function numberOf(field: Field, word: string): number {
  const index = field.names.indexOf(word.toUpperCase());
  return index >= 0 ? index + field.min : /^[0-9]+$/.test(word) ? Number(word) : NaN;
}
