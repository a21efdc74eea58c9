import type { ComparisonState } from "./comparison.ts";
import { alternatives } from "./evidence.ts";
import type { Count } from "./rate-test.ts";

/** Reads what `JSON.stringify` wrote. Throws `SyntaxError` if it is not that: then the run starts again. */
export function readComparison(value: unknown): ComparisonState {
  const { margin, intervals, logs, canary, stable, batch } = recordOf(value);
  const known = numbersOf(logs);
  const isCount = typeof intervals === "number" && Number.isInteger(intervals) && intervals >= 0;
  if (typeof margin !== "string" || !isCount || known.length !== (intervals === 0 ? 0 : alternatives.length))
    throw new SyntaxError("a comparison");
  const state = { margin, intervals, logs: known, canary: countOf(canary), stable: countOf(stable) };
  if (batch === undefined) return state;
  const samples = recordOf(batch);
  return { ...state, batch: { canary: numbersOf(samples["canary"]), stable: numbersOf(samples["stable"]) } };
}

function countOf(value: unknown): Count {
  const { numerator, denominator } = recordOf(value);
  const [one, other] = numbersOf([numerator, denominator]);
  return { numerator: one!, denominator: other! };
}

function numbersOf(value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every((one) => Number.isFinite(one))) return value as readonly number[];
  throw new SyntaxError("a list of numbers");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw new SyntaxError("an object");
}
