import { type ParseError, invalid } from "../../text/parse-error.ts";

/** A number of nodes, or a percentage of a pool's nodes. */
export interface IntOrPercent {
  readonly unit: "nodes" | "percent";
  readonly amount: number;
}

/**
 * Parses an `IntOrString` of Kubernetes: `3` or `"25%"`, 0 or more. As in Kubernetes, a string needs a percent sign.
 */
export function parseIntOrPercent(value: number | string): IntOrPercent | ParseError {
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= 0) return { unit: "nodes", amount: value };
    return invalid(`${value}`, "must be a whole number, 0 or more");
  }
  const [, digits] = /^(\d{1,5})%$/.exec(value) ?? [];
  if (digits === undefined) return invalid(value, 'is neither a number (1) nor a percentage ("25%")');
  return { unit: "percent", amount: Number(digits) };
}

/** Resolves to a number of nodes: a percentage of `nodeCount` is rounded up. */
export function resolveIntOrPercent({ unit, amount }: IntOrPercent, nodeCount: number): number {
  return unit === "percent" ? Math.ceil((nodeCount * amount) / 100) : amount;
}
