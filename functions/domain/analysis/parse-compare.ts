import * as v from "valibot";
import { closedObject, crossCheck, parsedBy, wholeNumber } from "../text/schema.ts";
import type { Comparison, RunTest } from "./comparison/comparison.ts";
import { type Margin, marginForm, parseMargin } from "./comparison/margin.ts";
import { prometheus } from "./providers/prometheus.ts";

const defaultConfidence = 0.95;
const defaultMinSamples = { rates: 100, ranks: 10 } as const;
const maxMinSamples = 1_000_000_000;

const margin = v.pipe(v.string(marginForm), parsedBy(parseMargin));

const confidenceForm = "a number from 0.5 to 0.9999";
const confidence = v.pipe(
  v.number(confidenceForm),
  v.minValue(0.5, confidenceForm),
  v.maxValue(0.9999, confidenceForm),
);

/** How a metric compares the canary with the stable pods. */
export const compareSchema = v.pipe(
  closedObject({
    maxIncrease: v.nullish(margin),
    maxDecrease: v.nullish(margin),
    numerator: v.nullish(prometheus.schema),
    denominator: v.nullish(prometheus.schema),
    test: v.nullish(v.picklist(["mannWhitney"], "mannWhitney")),
    confidence: v.nullish(confidence),
    minSamples: v.nullish(wholeNumber(1, maxMinSamples)),
  }),
  crossCheck(["maxIncrease", "maxDecrease"], ({ maxIncrease, maxDecrease }) => {
    if (isGiven(maxIncrease) === isGiven(maxDecrease))
      return [{ path: [], reason: "needs either maxIncrease or maxDecrease; use two metrics for both" }];
    if (!isGiven(maxDecrease) || maxDecrease.relative < 1) return [];
    return [{ path: ["maxDecrease"], reason: "is 100% or more: no value is that low; use less" }];
  }),
  crossCheck(["numerator", "denominator", "test"], (written) => {
    const { numerator, denominator, test } = written;
    if (isGiven(numerator) !== isGiven(denominator))
      return [{ path: [], reason: "needs numerator and denominator, or neither" }];
    if (isGiven(numerator) && isGiven(test))
      return [{ path: ["test"], reason: "is set in addition to numerator and denominator; use one or the other" }];
    const isTested = isGiven(numerator) || isGiven(test);
    return (["confidence", "minSamples"] as const)
      .filter((field) => !isTested && isGiven(written[field]))
      .map((field) => ({ path: [field], reason: "needs a test: add numerator and denominator, or test: mannWhitney" }));
  }),
);

type WrittenCompare = v.InferOutput<typeof compareSchema>;

/** Returns the comparison of a metric; its share of the false failures is not divided yet. */
export function resolveComparison(written: WrittenCompare): Comparison {
  const { kind: _, ...parsed } = (written.maxIncrease ?? written.maxDecrease)!;
  const compared: Margin = { direction: isGiven(written.maxIncrease) ? 1 : -1, ...parsed };
  const kind = testOf(written);
  if (kind === null) return { margin: compared, test: null };
  const alpha = 1 - (written.confidence ?? defaultConfidence);
  return { margin: compared, test: { kind, alpha, minSamples: written.minSamples ?? defaultMinSamples[kind] } };
}

/** Returns the test that judges a run; null if each pair of values is judged by itself. */
export function testOf({ numerator, test }: WrittenCompare): RunTest["kind"] | null {
  if (isGiven(numerator)) return "rates";
  return isGiven(test) ? "ranks" : null;
}

export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}
