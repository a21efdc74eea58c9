import { type Invalid, invalid } from "../../functions/domain/invalid.ts";
import type { WorkloadRef } from "../../functions/domain/workload.ts";

/** One way to read what a person wrote; null leaves it open. */
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
]);

/** Reads `[KIND/][NAMESPACE/]NAME`. `shop/web` can be read in two ways: what exists decides between them. */
export function parseWorkloadName(text: string): readonly WorkloadName[] | Invalid {
  const parts = text.split("/");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length > 3 || parts.some((part) => !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(part))) {
    return invalid(text, "is not a workload: write it as name, namespace/name or kind/namespace/name");
  }
  if (parts.length === 1) return [{ kind: null, namespace: null, name: first }];
  if (parts.length === 3) return [{ kind: kindOf(first), namespace: second, name: third }];
  return [
    { kind: kindOf(first), namespace: null, name: second },
    { kind: null, namespace: first, name: second },
  ];
}

/** Written as `parseWorkloadName` reads it: `deployment/shop/web`. */
export function formatWorkloadName({ kind, namespace, name }: WorkloadRef): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

/** Kinds are matched in lower case, and in the singular. */
function kindOf(text: string): string {
  const lower = text.toLowerCase();
  return shortKinds.get(lower) ?? lower.replace(/s$/, "");
}

/** How the argument is described in help. */
export const workloadArgument = "[kind/][namespace/]name, such as deployment/shop/web, shop/web or web";
