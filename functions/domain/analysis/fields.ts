import { parseDuration } from "../duration.ts";
import type { Invalid } from "../invalid.ts";

/** What is wrong with one field of an analysis. `reason` begins with the path. */
export interface AnalysisProblem extends Invalid {
  /** `metrics[0].query`; empty for the whole. */
  readonly path: string;
}

/** An object that somebody wrote, where it stands, and the list that its problems go to. */
export interface Fields {
  readonly path: string;
  readonly written: Readonly<Record<string, unknown>>;
  readonly problems: AnalysisProblem[];
}

interface Range {
  readonly least: number;
  readonly most: number;
}

const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Fields that are not `known` are problems: a misspelt limit must not be a missing one. */
export function fieldsOf(value: unknown, path: string, known: readonly string[], problems: AnalysisProblem[]): Fields {
  const fields = { path, written: isObject(value) ? value : {}, problems };
  if (!isObject(value)) complain(fields, "", "must be an object", value);
  for (const name of Object.keys(fields.written).filter((key) => !known.includes(key))) {
    complain(fields, name, `is not known; known are ${known.join(", ")}`);
  }
  return fields;
}

/** `name` is empty for the object itself. */
export function complain(fields: Fields, name: string, why: string, part: unknown = fields.written[name]): void {
  const path = [fields.path, name].filter((piece) => piece !== "").join(".");
  fields.problems.push({ kind: "invalid", path, part: spell(part), reason: `${path || "analysis"}: ${why}` });
}

/** Whether anything is written there, be it readable or not. */
export function has({ written }: Fields, name: string): boolean {
  return Object.hasOwn(written, name) && written[name] !== null && written[name] !== undefined;
}

// Each of these gives null for what is absent, and null and a problem for what cannot be read.

export function textIn(fields: Fields, name: string): string | null {
  return readAs(fields, name, "must be a text", asText);
}

/** A number, or its decimal spelling. */
export function numberIn(fields: Fields, name: string): number | null {
  return readAs(fields, name, "must be a number", asNumber);
}

export function flagIn(fields: Fields, name: string): boolean | null {
  return readAs(fields, name, "must be true or false", (given) => (typeof given === "boolean" ? given : null));
}

export function listIn(fields: Fields, name: string): readonly unknown[] | null {
  return readAs(fields, name, "must be a list", (given) => (Array.isArray(given) ? (given as unknown[]) : null));
}

export function wholeIn(fields: Fields, name: string, range: Range): number | null {
  const why = `must be a whole number from ${range.least} to ${range.most}`;
  return readAs(fields, name, why, (given) =>
    typeof given === "number" && Number.isInteger(given) && isWithin(given, range) ? given : null,
  );
}

/** In seconds; the range too. */
export function durationIn(fields: Fields, name: string, range: Range): number | null {
  const parsed = parsedIn(fields, name, parseDuration, (given) =>
    asText(typeof given === "number" ? `${given}` : given),
  );
  if (parsed === null || isWithin(parsed.seconds, range)) return parsed?.seconds ?? null;
  complain(fields, name, `must be from ${range.least} to ${range.most} seconds`);
  return null;
}

/** What `parse` makes of a text. */
export function parsedIn<T extends { readonly kind: string }>(
  fields: Fields,
  name: string,
  parse: (text: string) => T | Invalid,
  convert: (given: unknown) => string | null = asText,
): Exclude<T, Invalid> | null {
  const text = readAs(fields, name, "must be a text", convert);
  const parsed = text === null ? null : parse(text);
  if (parsed === null || !isInvalid(parsed)) return parsed as Exclude<T, Invalid> | null;
  complain(fields, name, parsed.reason, parsed.part);
  return null;
}

function readAs<T>(fields: Fields, name: string, why: string, convert: (given: unknown) => T | null): T | null {
  if (!has(fields, name)) return null;
  const given = fields.written[name];
  const converted = convert(given);
  if (converted === null) complain(fields, name, `${spell(given)} ${why}`);
  return converted;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInvalid(parsed: { readonly kind: string }): parsed is Invalid {
  return parsed.kind === "invalid";
}

function isWithin(number: number, { least, most }: Range): boolean {
  return number >= least && number <= most;
}

function asText(given: unknown): string | null {
  return typeof given === "string" && given.trim() !== "" ? given.trim() : null;
}

function asNumber(given: unknown): number | null {
  const isSpelling = typeof given === "string" && decimal.test(given.trim());
  return Number.isFinite(given) || isSpelling ? Number(given) : null;
}

function spell(part: unknown): string {
  return (JSON.stringify(part) ?? "nothing").slice(0, 80);
}
