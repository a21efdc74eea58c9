import { type ParseError, invalid } from "../../text/parse-error.ts";

/** Where a value is in a JSON document: names of fields, and positions in lists. */
export type JsonPath = readonly (string | number)[];

const segment = /\.([A-Za-z_][\w-]*)|\[(-?\d{1,6})\]|\['([^'\\]+)'\]|\["([^"\\]+)"\]/y;
const form = "a JSONPath of fields and positions, such as $.data.rate, $['error rate'] or $.items[0].value";

/** Parses the part of JSONPath that names one value, with or without the braces of kubectl: no wildcards, filters and slices. */
export function parseJsonPath(written: string): { readonly kind: "path"; readonly keys: JsonPath } | ParseError {
  const text = written.replace(/^\{(.*)\}$/, "$1").replace(/^(?=[.[])/, "$");
  const keys: (string | number)[] = [];
  segment.lastIndex = 1;
  while (text.startsWith("$") && segment.lastIndex < text.length) {
    const [found, field, position, ...quoted] = segment.exec(text) ?? [];
    if (found === undefined) return invalid(written, `is not ${form}`);
    keys.push(position === undefined ? (field ?? quoted.join("")) : Number(position));
  }
  return text.startsWith("$") ? { kind: "path", keys } : invalid(written, `is not ${form}`);
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(document: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof key === "number") return Array.isArray(value) ? (value as readonly unknown[]).at(key) : undefined;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }, document);
}
