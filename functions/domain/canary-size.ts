import type { CanarySize, Rollout } from "./workload.ts";
import { type Invalid, invalid } from "./invalid.ts";

/** Reads `2` or `25%`: a whole number of replicas, 1 or more, or a percentage from 1 to 99. */
export function parseCanarySize(text: string): CanarySize | Invalid {
  const [, digits = "", percent] = /^(\d{1,5})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (percent === undefined) return invalid(text, "is neither a number of replicas (2) nor a percentage (25%)");
  if (amount < 1) return invalid(text, "must be 1 or more");
  if (percent === "%" && amount > 99) return invalid(text, "must leave something to compare with: at most 99%");
  return { unit: percent === "%" ? "percent" : "replicas", amount };
}

/** How many of `desired` replicas the canary has: a percentage is rounded up, and never more than there are. */
export function canaryReplicas({ unit, amount }: CanarySize, desired: number): number {
  const wanted = unit === "percent" ? Math.ceil((desired * amount) / 100) : amount;
  return Math.min(wanted, desired);
}

/** Why no canary of this size can be made of these replicas; null where one can. */
export function whyNoCanary(size: CanarySize, { desiredReplicas }: Rollout): string | null {
  if (desiredReplicas === 0) return "there are no replicas to make a canary of";
  if (size.unit === "percent" || size.amount <= desiredReplicas) return null;
  return `${size.amount} canary replicas are more than the ${desiredReplicas} that are desired`;
}
