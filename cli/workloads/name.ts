import { type ParseError, invalid } from "../../functions/domain/text/parse-error.ts";
import type { WorkloadRef } from "../../functions/domain/workload/workload.ts";

/** One reading of a workload argument; null matches any value. */
export interface WorkloadName {
  readonly kind: string | null;
  readonly namespace: string | null;
  readonly name: string;
}

const shortKinds: ReadonlyMap<string, string> = new Map([
  ["deploy", "deployment"],
  ["sts", "statefulset"],
  ["ds", "daemonset"],
  ["cj", "cronjob"],
  ["au", "autoupdate"],
]);

/** Parses `[KIND/][NAMESPACE/]NAME`. `shop/web` has two readings; the existing workloads decide. */
export function parseWorkloadName(text: string): readonly WorkloadName[] | ParseError {
  const parts = text.split("/");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length > 3 || parts.some((part) => !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(part))) {
    return invalid(text, "is not a workload; use name, namespace/name or kind/namespace/name");
  }
  if (parts.length === 1) return [{ kind: null, namespace: null, name: first }];
  if (parts.length === 3 && !isKind(normalizeKind(first)))
    return invalid(text, `begins with "${first}", which is not a kind; use kind/namespace/name`);
  if (parts.length === 3) return [{ kind: normalizeKind(first), namespace: second, name: third }];
  return [
    { kind: normalizeKind(first), namespace: null, name: second },
    { kind: null, namespace: first, name: second },
  ];
}

/** Kinds as words of their own: `deployment web api`, as kubectl reads it. */
const kindWords: ReadonlySet<string> = new Set([...shortKinds.values(), "claw", "statefulcanary"]);

/** Reports whether a normalized kind is one of workloads. */
export function isKind(kind: string): boolean {
  return kindWords.has(kind);
}

/** Joins a kind that is a word of its own with the names after it: `deployment web api` is `deployment/web deployment/api`. */
export function joinKind(words: readonly string[]): readonly string[] {
  const [kind = "", ...names] = words;
  const hasKind = names.length > 0 && isKind(normalizeKind(kind)) && !names.some((name) => name.includes("/"));
  return hasKind ? names.map((name) => `${kind}/${name}`) : words;
}

/** Formats a name for `parseWorkloadName`: `deployment/shop/web`. */
export function formatWorkloadName({ kind, namespace, name }: WorkloadRef): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

/** Normalizes a kind to lower case and singular. */
function normalizeKind(text: string): string {
  const lower = text.toLowerCase();
  return shortKinds.get(lower) ?? lower.replace(/s$/, "");
}

/** The help text of the argument. */
export const workloadArgument = "[kind/][namespace/]name, such as deployment/shop/web, shop/web or web";
