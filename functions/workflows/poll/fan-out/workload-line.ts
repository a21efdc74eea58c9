import type { Workload } from "../../../domain/workload/workload.ts";

/** Marks what JSON has no type for. No name in a cluster contains it. */
const dateMark = "@date";
const mapMark = "@map";

/** Formats a workload as one line of JSON, without its line break. */
export function formatLine(workload: Workload): string {
  return JSON.stringify(workload, function (this: Readonly<Record<string, unknown>>, key, value: unknown) {
    // Only people read it.
    if (key === "rawPolicy") return {};
    // `Date.toJSON` has run before.
    const original = this[key];
    if (original instanceof Date) return { [dateMark]: original.getTime() };
    return original instanceof Map ? { [mapMark]: [...original] } : value;
  });
}

/** Parses a line of `formatLine`. Throws `SyntaxError`. */
export function parseLine(line: string): Workload {
  return JSON.parse(line, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if (dateMark in value) return new Date(value[dateMark] as number);
    return mapMark in value ? new Map(value[mapMark] as readonly (readonly [unknown, unknown])[]) : value;
  }) as Workload;
}
