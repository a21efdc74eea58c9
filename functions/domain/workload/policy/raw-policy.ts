/** "unclear": its owner may mean either. Nothing is updated, and nothing that is recorded is deleted, until that is fixed. */
export type OptIn = "yes" | "no" | "unclear";

/** The value of one field as its owner wrote it. */
export interface Written {
  /** Text as in an annotation, lists with commas; what is written as YAML or JSON is parsed, if it can be. */
  readonly value: unknown;
  /** In characters, of the text. */
  readonly length: number;
  /** For messages: `pawl.dev/schedule`, `spec.policy.schedule`. */
  readonly place: string;
}

/** A policy as its owner wrote it, by the fields of the policy table; an absent or empty field takes the default. */
export type RawPolicy = Readonly<Record<string, Written>>;

/** Returns the text of a field; undefined if it is not written. */
export function textOf({ value }: Partial<Written> = {}): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the fields that are written. */
export function compact(fields: Readonly<Record<string, Written | null | undefined>>): RawPolicy {
  return Object.fromEntries(Object.entries(fields).filter(([, written]) => written)) as RawPolicy;
}

/** Lifts a value of YAML or JSON: of a list of names the text with commas, of a number or `true` its text. */
export function lift(value: unknown, place: string, isJson = false): Written | null {
  if (value === undefined || value === null || value === false) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (isJson) return { value, length: text.length, place };
  const own = Array.isArray(value) ? value.join(",") : text;
  return { value: own, length: own.length, place };
}
