import { parseAddress, type PrometheusAddress } from "./domain/analysis/address.ts";
import { namesIn } from "./domain/names-in.ts";

// Each reads one value of the environment, and puts what it cannot read among the problems.

/** Of several variables one at most is set. */
export function onlyOne(values: Readonly<Record<string, string | null>>, problems: string[]): void {
  const set = Object.keys(values).filter((name) => values[name] !== null);
  if (set.length > 1) problems.push(`${set.join(" and ")} are set: one of them at most can hold`);
}

/** "1" or "true"; off where nothing is set. */
export function readSwitch(name: string, value: string | undefined, problems: string[]): boolean {
  const isOn = parseSwitch(value ?? "");
  if (isOn === null) problems.push(`${name} "${value}": write 1 or 0`);
  return isOn ?? false;
}

/** null where the text says neither. */
export function parseSwitch(text: string): boolean | null {
  if (["1", "true"].includes(text)) return true;
  return ["", "0", "false"].includes(text) ? false : null;
}

/** One of two words, the first where nothing is set. */
export function oneOf<const One extends string, const Other extends string>(
  name: string,
  value: string | undefined,
  [usual, other]: readonly [One, Other],
  problems: string[],
): One | Other {
  if (value === other) return other;
  if (value && value !== usual) problems.push(`${name} "${value}": write ${usual} or ${other}`);
  return usual;
}

/** Names separated by commas; null where there is none. */
export function list(value: string | undefined): readonly string[] | null {
  const items = namesIn(value);
  return items.length === 0 ? null : items;
}

/** `runtime=repository`, separated by commas. */
export function pairs(value: string | undefined, problems: string[]): Readonly<Record<string, string>> {
  const entries = (list(value) ?? []).map((item) => [item, item.indexOf("=")] as const);
  for (const [item, at] of entries) {
    if (at < 1) problems.push(`PAWL_RUNTIME_IMAGES "${item}": write runtime=repository, separated by commas`);
  }
  return Object.fromEntries(entries.map(([item, at]) => [item.slice(0, at), item.slice(at + 1)]));
}

/** Addresses of Prometheus, separated by commas. */
export function addresses(value: string | undefined, problems: string[]): readonly PrometheusAddress[] {
  return (list(value) ?? []).flatMap((item) => {
    const address = parseAddress(item);
    if (address.kind !== "invalid") return [address];
    problems.push(`PAWL_PROMETHEUS: ${address.reason}`);
    return [];
  });
}
