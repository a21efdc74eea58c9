import type { CanarySize } from "./canary-size.ts";
import type { Rollout } from "../workload.ts";
import { type ParseError, invalid } from "../../text/parse-error.ts";

/** Parses `2` or `25%`: an integer of 1 or more replicas, or a percentage from 1 to 99. */
export function parseCanarySize(text: string): CanarySize | ParseError {
  const [, digits = "", percent] = /^(\d{1,5})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (percent === undefined) return invalid(text, "is neither a number of replicas (2) nor a percentage (25%)");
  if (amount < 1) return invalid(text, "must be 1 or more");
  if (percent === "%" && amount > 99)
    return invalid(text, "must leave stable replicas to compare with: use at most 99%");
  return { unit: percent === "%" ? "percent" : "replicas", amount };
}

/** Formats a size as its owner writes it: `2`, `25%`. */
export function describeSize({ unit, amount }: CanarySize): string {
  return `${amount}${unit === "percent" ? "%" : ""}`;
}

/** Returns the number of canary replicas: a percentage is rounded up, and never exceeds `desired`. */
export function canaryReplicas({ unit, amount }: CanarySize, desired: number): number {
  const replicas = unit === "percent" ? Math.ceil((desired * amount) / 100) : amount;
  return Math.min(replicas, desired);
}

/** Returns why these replicas allow no canary of this size; null if they do. */
export function canaryUnavailableReason(
  size: CanarySize,
  { desiredReplicas }: Pick<Rollout, "desiredReplicas">,
): string | null {
  if (desiredReplicas === 0) return "there are no replicas to run a canary on";
  if (size.unit === "percent" || size.amount <= desiredReplicas) return null;
  return `${size.amount} canary replicas exceed the ${desiredReplicas} desired replicas`;
}

/** Returns how many replicas stay stable beside a canary within them: at least one, so that it never runs on all. */
export function partitionFor(size: CanarySize, desired: number): number {
  return Math.max(1, desired - canaryReplicas(size, desired));
}

/** Returns why a canary within the replicas would leave none stable; null if it would not. Other sizes are reported above. */
export function noStableReason({ unit, amount }: CanarySize, desired: number): string | null {
  const leavesNone = unit === "percent" ? desired === 1 : amount === desired;
  if (!leavesNone) return null;
  const fix = desired === 1 ? "use 2 replicas or more, or no canary" : `use at most ${desired - 1}`;
  return `the canary would leave no stable replica of ${desired}; ${fix}`;
}
