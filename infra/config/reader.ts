import { nearMiss } from "./near-miss.ts";

/** Reads one written value. Each problem is said with its path; what is returned beside a problem is never used. */
export type Reader<Value> = (written: unknown, path: string, problems: string[]) => Value;

type Fields = Readonly<Record<string, Reader<unknown>>>;
type Read<Shape extends Fields> = { readonly [Key in keyof Shape]: ReturnType<Shape[Key]> };

/** Says a problem and stands in for the value that could not be read. */
function refuse(problems: string[], path: string, message: string): never {
  problems.push(`${path === "" ? "pawl" : path}: ${message}`);
  return undefined as never;
}

/** A text that matches; `hint` says what it should look like. */
export function text(pattern: RegExp, hint: string): Reader<string> {
  return (written, path, problems) => {
    if (typeof written !== "string") return refuse(problems, path, `is ${nameOf(written)}, write ${hint}`);
    if (!pattern.test(written)) return refuse(problems, path, `${JSON.stringify(written)} is not ${hint}`);
    return written;
  };
}

/** What `reader` reads, held to a further rule that says what is wrong, or null. */
export function checked<Value>(reader: Reader<Value>, wrong: (value: Value) => string | null): Reader<Value> {
  return (written, path, problems) => {
    const before = problems.length;
    const value = reader(written, path, problems);
    const reason = problems.length > before ? null : wrong(value);
    return reason === null ? value : refuse(problems, path, reason);
  };
}

export function oneOf<const Values extends readonly (string | number)[]>(values: Values): Reader<Values[number]> {
  return (written, path, problems) => {
    const found = values.find((value) => value === written);
    if (found !== undefined) return found;
    return refuse(problems, path, `${JSON.stringify(written)} is none of ${values.join(", ")}`);
  };
}

export const flag: Reader<boolean> = (written, path, problems) =>
  typeof written === "boolean" ? written : refuse(problems, path, `is ${nameOf(written)}, write true or false`);

export function wholeNumber(least: number, most: number): Reader<number> {
  return (written, path, problems) => {
    if (typeof written === "number" && Number.isInteger(written) && written >= least && written <= most) return written;
    return refuse(problems, path, `${JSON.stringify(written)} is not a whole number from ${least} to ${most}`);
  };
}

/** Absent is `fallback`. null is not absent: it is left to `reader`. */
export function optional<Value, const Fallback>(reader: Reader<Value>, fallback: Fallback): Reader<Value | Fallback> {
  return (written, path, problems) => (written === undefined ? fallback : reader(written, path, problems));
}

/** null where null is written, which says "none" in so many words. */
export function nullable<Value>(reader: Reader<Value>): Reader<Value | null> {
  return (written, path, problems) => (written === null ? null : reader(written, path, problems));
}

export function listOf<Value>(reader: Reader<Value>, least = 0, most = Infinity): Reader<readonly Value[]> {
  return (written, path, problems) => {
    if (!Array.isArray(written)) return refuse(problems, path, `is ${nameOf(written)}, write a list`);
    if (written.length < least) refuse(problems, path, `has ${written.length} entries, at least ${least} needed`);
    if (written.length > most) refuse(problems, path, `has ${written.length} entries, at most ${most} allowed`);
    return written.map((one, index) => reader(one, `${path}[${index}]`, problems));
  };
}

/** A list in which what `keyOf` gives appears once. A key of undefined belongs to an entry that has problems already. */
export function unique<Value>(
  reader: Reader<readonly Value[]>,
  keyOf: (value: Value) => string | undefined,
  at = "",
): Reader<readonly Value[]> {
  return (written, path, problems) => {
    const values = reader(written, path, problems);
    const keys = (values ?? []).map((value) => (value === undefined ? undefined : keyOf(value)));
    keys.forEach((key, index) => {
      const first = keys.indexOf(key);
      if (key === undefined || first === index) return;
      refuse(problems, `${path}[${index}]${at}`, `${JSON.stringify(key)} is already ${path}[${first}]${at}`);
    });
    return values;
  };
}

/** An object of any keys that match, each with a value that `reader` reads. */
export function record<Value>(
  key: RegExp,
  hint: string,
  reader: Reader<Value>,
): Reader<Readonly<Record<string, Value>>> {
  return (written, path, problems) => {
    if (!isObject(written)) return refuse(problems, path, `is ${nameOf(written)}, write an object`);
    for (const name of Object.keys(written)) {
      if (!key.test(name)) refuse(problems, path, `the key ${JSON.stringify(name)} is not ${hint}`);
    }
    return Object.fromEntries(
      Object.entries(written).map(([name, one]) => [name, reader(one, `${path}.${name}`, problems)]),
    );
  };
}

/** An object of exactly these keys. A key that nobody reads is a problem, with the one that may have been meant. */
export function object<Shape extends Fields>(fields: Shape): Reader<Read<Shape>> {
  return (written, path, problems) => {
    if (!isObject(written)) return refuse(problems, path, `is ${nameOf(written)}, write an object`);
    for (const key of Object.keys(written).filter((one) => !Object.hasOwn(fields, one) && one !== "$schema")) {
      const meant = nearMiss(key, Object.keys(fields));
      refuse(
        problems,
        join(path, key),
        meant === null ? "is not a setting" : `is not a setting; did you mean ${meant}?`,
      );
    }
    const read = Object.entries(fields).map(([key, reader]) => [key, reader(written[key], join(path, key), problems)]);
    return Object.fromEntries(read) as Read<Shape>;
  };
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function isObject(written: unknown): written is Readonly<Record<string, unknown>> {
  return typeof written === "object" && written !== null && !Array.isArray(written);
}

function nameOf(written: unknown): string {
  if (written === undefined) return "missing";
  if (written === null) return "null";
  return Array.isArray(written) ? "a list" : typeof written === "object" ? "an object" : `a ${typeof written}`;
}
