import * as v from "valibot";
import { alternatives } from "./evidence.ts";

const number = v.pipe(v.number(), v.finite());
const count = v.object({ numerator: number, denominator: number });

/** The schema of a `ComparisonState`. */
export const comparisonState = v.pipe(
  v.object({
    margin: v.string(),
    intervals: v.pipe(v.number(), v.integer(), v.minValue(0)),
    logs: v.array(number),
    canary: count,
    stable: count,
    batch: v.exactOptional(v.object({ canary: v.array(number), stable: v.array(number) })),
  }),
  v.check(({ intervals, logs }) => logs.length === (intervals === 0 ? 0 : alternatives.length)),
);
