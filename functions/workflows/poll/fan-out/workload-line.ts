import type { Workload } from "../../../domain/workload/workload.ts";

/** Marks what JSON has no type for. No name in a cluster contains it. */
const dateMark = "@date";
const mapMark = "@map";

/** Formats a workload, or what a poll counts, as one line of JSON, without its line break. */
export function formatLine(value: object): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, field: unknown) {
    // Only people read it.
    if (key === "rawPolicy") return {};
    // `Date.toJSON` has run before.
    const original = this[key];
    if (original instanceof Date) return { [dateMark]: original.getTime() };
    return original instanceof Map ? { [mapMark]: [...original] } : field;
  });
}

/** Parses a line of `formatLine`. Throws `SyntaxError`. */
export function parseLine(line: string): Workload {
  return parseValue(line) as Workload;
}

/** Parses what `formatLine` has formatted. Throws `SyntaxError`. */
export function parseValue(line: string): unknown {
  return JSON.parse(line, (_key, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (dateMark in value) return new Date(value[dateMark] as number);
    return mapMark in value ? new Map(value[mapMark] as readonly (readonly [unknown, unknown])[]) : value;
  });
}
