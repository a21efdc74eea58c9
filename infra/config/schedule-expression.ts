/** A field of `cron(...)`: what its numbers may be, the names that stand for them, and further words it knows. */
interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
  readonly further: RegExp | null;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** EventBridge Scheduler's fields; Sunday is 1. https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html */
const fields: readonly Field[] = [
  { name: "minutes", least: 0, most: 59, names: [], further: null },
  { name: "hours", least: 0, most: 23, names: [], further: null },
  {
    name: "day of month",
    least: 1,
    most: 31,
    names: [],
    further: /^(\?|LW?|L-([1-9]|[12][0-9]|30)|([1-9]|[12][0-9]|3[01])W)$/,
  },
  { name: "month", least: 1, most: 12, names: months, further: null },
  {
    name: "day of week",
    least: 1,
    most: 7,
    names: weekdays,
    further: /^(\?|L|([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5]))$/,
  },
  { name: "year", least: 1970, most: 2199, names: [], further: null },
];

/** What is wrong with a `rate(...)` or `cron(...)` of EventBridge Scheduler; null where nothing is. */
export function problemWithSchedule(expression: string): string | null {
  const [, kind, inside] = /^(rate|cron)\(([^()]*)\)$/.exec(expression) ?? [];
  if (inside === undefined) return `"${expression}" is neither rate(...) nor cron(...)`;
  return kind === "rate" ? problemWithRate(inside) : problemWithCron(inside);
}

function problemWithRate(inside: string): string | null {
  const [, value, unit] = /^([1-9][0-9]{0,4}) (minute|minutes|hour|hours|day|days)$/.exec(inside) ?? [];
  if (value === undefined || unit === undefined) return `"rate(${inside})" is not like rate(5 minutes)`;
  return Number(value) > 1 && !unit.endsWith("s") ? `"rate(${inside})": write ${unit}s` : null;
}

function problemWithCron(inside: string): string | null {
  const written = inside.split(" ");
  if (written.length !== fields.length)
    return `"cron(${inside})" has ${written.length} fields, not the six of EventBridge`;
  for (const [index, field] of fields.entries()) {
    const reason = problemWithField(field, written[index] ?? "");
    if (reason !== null) return `"cron(${inside})": ${field.name} ${reason}`;
  }
  if ((written[2] === "?") === (written[4] === "?"))
    return `"cron(${inside})": exactly one of day of month and day of week is ?`;
  return null;
}

function problemWithField(field: Field, written: string): string | null {
  if (field.further?.test(written)) return null;
  const wrong = written.split(",").find((part) => !isPart(field, part));
  return wrong === undefined ? null : `cannot be "${wrong}"`;
}

/** `*`, `a`, `a-b`, each with `/n` or without. */
function isPart(field: Field, part: string): boolean {
  const [, range = "", , step] = /^([^/]*)(\/([0-9]+))?$/.exec(part) ?? [];
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.most)) return false;
  if (range === "*") return true;
  const ends = range.split("-").map((end) => numberOf(field, end));
  return ends.length <= 2 && ends.every((end) => end >= field.least && end <= field.most);
}

function numberOf(field: Field, word: string): number {
  const named = field.names.indexOf(word.toUpperCase());
  return named >= 0 ? named + field.least : /^[0-9]+$/.test(word) ? Number(word) : NaN;
}
