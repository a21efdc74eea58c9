import * as v from "valibot";
import type { RuleScope } from "../domain/signature/rule.ts";
import { parseCommaList } from "../domain/text/comma-list.ts";
import type { ParseError } from "../domain/text/parse-error.ts";

// Each reads one environment variable and adds to `problems` what is invalid.

/** Adds a problem if more than one of the variables is set. */
export function atMostOne(values: Readonly<Record<string, string | null>>, problems: string[]): void {
  const set = Object.keys(values).filter((name) => values[name] !== null);
  if (set.length > 1) problems.push(`${set.join(" and ")} are mutually exclusive; set only one of them`);
}

/** "1" or "true" is on; off if not set. */
export function readSwitch(name: string, value: string | undefined, problems: string[]): boolean {
  const isOn = parseSwitch(value ?? "");
  if (isOn === null) problems.push(`${name} "${value}" is invalid; use 1 or 0`);
  return isOn ?? false;
}

/** Returns null if the text is neither. */
export function parseSwitch(text: string): boolean | null {
  if (["1", "true"].includes(text)) return true;
  return ["", "0", "false"].includes(text) ? false : null;
}

/** Returns one of two values; the first is the default. */
export function oneOf<const Standard extends string, const Other extends string>(
  name: string,
  value: string | undefined,
  [standard, other]: readonly [Standard, Other],
  problems: string[],
): Standard | Other {
  if (value === other) return other;
  if (value && value !== standard) problems.push(`${name} "${value}" is invalid; use ${standard} or ${other}`);
  return standard;
}

/** Returns null if it is not set. */
export function readDate(name: string, value: string | undefined, problems: string[]): Date | null {
  const date = value ? new Date(value) : null;
  if (date === null || !Number.isNaN(date.getTime())) return date;
  problems.push(`${name} "${value}" is not a date; use one such as 2026-11-30`);
  return null;
}

/** Returns comma-separated names; null if there are none. */
export function list(value: string | undefined): readonly string[] | null {
  const items = parseCommaList(value);
  return items.length === 0 ? null : items;
}

/** Parses comma-separated `runtime=repository` pairs. */
export function pairs(value: string | undefined, problems: string[]): Readonly<Record<string, string>> {
  const entries = (list(value) ?? []).map((item) => [item, item.indexOf("=")] as const);
  for (const [item, at] of entries) {
    if (at < 1) problems.push(`PAWL_RUNTIME_IMAGES "${item}" is invalid; use runtime=repository, separated by commas`);
  }
  return Object.fromEntries(entries.map(([item, at]) => [item.slice(0, at), item.slice(at + 1)]));
}

/** A docker config.json in a secret, which is used for some namespaces and repositories only; null is all. */
export interface RegistryLogin {
  readonly secretArn: string;
  readonly namespaces: readonly string[] | null;
  readonly repositories: readonly string[] | null;
}

const logins = v.array(
  v.strictObject({
    secretArn: v.string(),
    namespaces: v.nullish(v.array(v.string()), null),
    repositories: v.nullish(v.array(v.string()), null),
  }),
);

/** Parses a JSON list of logins. */
export function registryLogins(value: string | undefined, problems: string[]): readonly RegistryLogin[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), logins), value || "[]");
  if (parsed.success) return parsed.output;
  problems.push("PAWL_REGISTRY_LOGINS is invalid; use a JSON list of {secretArn, namespaces, repositories}");
  return [];
}

const scopes = v.array(
  v.object({
    repositories: v.array(v.string()),
    namespaces: v.nullable(v.array(v.string())),
    mode: v.picklist(["enforce", "warn"]),
  }),
);

/** Parses a JSON list of what the rules of signatures are for. */
export function ruleScopes(value: string | undefined, problems: string[]): readonly RuleScope[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), scopes), value || "[]");
  if (parsed.success) return parsed.output;
  problems.push("PAWL_VERIFY_SCOPES is invalid; use a JSON list of {repositories, namespaces, mode}");
  return [];
}

/** Parses the comma-separated items of a variable. */
export function parsedList<Parsed extends { readonly kind: string }>(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  parse: (item: string) => Parsed | ParseError,
  problems: string[],
): readonly Exclude<Parsed, ParseError>[] {
  return (list(environment[name]) ?? []).flatMap((item) => {
    const parsed = parse(item);
    if (parsed.kind !== "invalid") return [parsed as Exclude<Parsed, ParseError>];
    problems.push(`${name}: ${(parsed as ParseError).reason}`);
    return [];
  });
}
