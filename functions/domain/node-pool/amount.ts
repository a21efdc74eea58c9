import { type Invalid, invalid } from "../invalid.ts";

/** So many nodes, or so many in a hundred of a pool's nodes. */
export interface Amount {
  readonly unit: "nodes" | "percent";
  readonly amount: number;
}

/** Reads an `IntOrString` of Kubernetes: `3` or `"25%"`, 0 or more. A text without a percent sign is none, as there. */
export function parseAmount(value: number | string): Amount | Invalid {
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= 0) return { unit: "nodes", amount: value };
    return invalid(`${value}`, "must be a whole number, 0 or more");
  }
  const [, digits] = /^(\d{1,5})%$/.exec(value) ?? [];
  if (digits === undefined) return invalid(value, 'is neither a number (1) nor a percentage ("25%")');
  return { unit: "percent", amount: Number(digits) };
}

/** How many of `nodeCount` nodes an amount means: a percentage is rounded up. */
export function nodesOf({ unit, amount }: Amount, nodeCount: number): number {
  return unit === "percent" ? Math.ceil((nodeCount * amount) / 100) : amount;
}
