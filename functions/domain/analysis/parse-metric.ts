import * as v from "valibot";
import { closedObject, crossCheck, parsedBy, trimmedText, wholeNumber } from "../text/schema.ts";
import { above, type Criterion, parseCondition } from "./condition.ts";
import { fieldNames, givenFields, providerFields, queryOf, verdictOf } from "./providers/providers.ts";
import type { MetricSpec } from "./spec.ts";
import { checkTemplate, isComparable } from "./template.ts";

const defaultCount = 5;
const defaultInconclusiveLimit = 3;
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

export const measurementCount = wholeNumber(1, 1000);
const limit = wholeNumber(0, 1000);

const number = v.pipe(
  v.custom<number | string>((given) => {
    return typeof given === "string" ? decimal.test(given.trim()) : Number.isFinite(given);
  }, "a number"),
  v.transform(Number),
);

const nameForm = "1 to 40 of a-z, 0-9 and -, with a letter or digit at both ends";

const percentForm = "a percentage such as 20%";
const percent = v.pipe(
  v.string(percentForm),
  v.trim(),
  v.regex(/^\d{1,5}(?:\.\d{1,3})?%$/, percentForm),
  v.transform((written) => Number(written.slice(0, -1))),
);

const condition = v.pipe(trimmedText("a condition such as result < 0.01"), parsedBy(parseCondition));

export const metricSchema = v.pipe(
  closedObject({
    name: v.pipe(v.string(nameForm), v.trim(), v.regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, nameForm)),
    ...providerFields,
    compare: v.nullish(closedObject({ maxIncrease: percent })),
    threshold: v.nullish(number),
    successCondition: v.nullish(condition),
    failureCondition: v.nullish(condition),
    failureLimit: v.nullish(limit),
    /** claw-operator's name: the failure that ends the analysis, not the last one that is allowed. */
    maxRetries: v.nullish(limit),
    inconclusiveLimit: v.nullish(limit, defaultInconclusiveLimit),
    consecutiveErrorLimit: v.nullish(limit, null),
    consecutiveSuccesses: v.nullish(measurementCount, null),
    dryRun: v.nullish(v.boolean(), false),
  }),
  crossCheck([], (written) => {
    if (givenFields(written).length === 1) return [];
    return [{ path: [], reason: `needs one of ${fieldNames.join(", ")}` }];
  }),
  crossCheck([], (written) => {
    const { threshold, successCondition, failureCondition, compare } = written;
    const isJudged = [threshold, successCondition, failureCondition, compare].some(isGiven);
    const verdict = verdictOf(written);
    if (isJudged !== (verdict !== null)) return [];
    const needed = "needs a threshold, a successCondition, a failureCondition or compare";
    return [{ path: [], reason: verdict?.reason ?? needed }];
  }),
  crossCheck([...fieldNames, "compare"], (written) => {
    const { field, query } = queryOf(written);
    const problem = checkTemplate(query);
    if (problem !== null) return [{ path: [field], reason: problem.reason }];
    if (!isGiven(written.compare) || verdictOf(written) !== null || isComparable(query)) return [];
    const reason = "needs {{args.set}} or {{args.pods}} in the query: both sides would be equal";
    return [{ path: ["compare"], reason }];
  }),
  crossCheck(["threshold"], ({ threshold, successCondition, failureCondition }) => {
    if (!isGiven(threshold) || (!isGiven(successCondition) && !isGiven(failureCondition))) return [];
    return [{ path: ["threshold"], reason: "is set in addition to a condition; use one or the other" }];
  }),
  crossCheck([], ({ failureLimit, maxRetries }) => {
    if (!isGiven(failureLimit) || !isGiven(maxRetries)) return [];
    return [{ path: ["maxRetries"], reason: "is set in addition to failureLimit; use one or the other" }];
  }),
);

type WrittenMetric = v.InferOutput<typeof metricSchema>;

/** Fills in the defaults; `count` is that of the analysis. A metric without a query has a problem before. */
export function resolveMetric(written: WrittenMetric, count: number | null): MetricSpec {
  const { name, consecutiveSuccesses, inconclusiveLimit, consecutiveErrorLimit, dryRun } = written;
  const failureLimit = written.failureLimit ?? Math.max(0, (written.maxRetries ?? 0) - 1);
  const verdict = verdictOf(written);
  const { query, provider, periodSeconds } = queryOf(written);
  return {
    name,
    provider,
    query,
    baselineQuery: isGiven(written.compare) ? query : null,
    periodSeconds,
    criterion: verdict?.criterion ?? criterionOf(written),
    count: count ?? (consecutiveSuccesses === null ? Math.max(verdict?.count ?? defaultCount, failureLimit + 1) : null),
    consecutiveSuccesses,
    failureLimit,
    inconclusiveLimit,
    consecutiveErrorLimit,
    dryRun,
  };
}

function criterionOf({ threshold, successCondition, failureCondition, compare }: WrittenMetric): Criterion {
  const maxIncreasePercent = compare?.maxIncrease ?? null;
  if (isGiven(threshold)) return { success: null, failure: above(threshold), maxIncreasePercent };
  return { success: successCondition ?? null, failure: failureCondition ?? null, maxIncreasePercent };
}

/** Returns the limits with which a metric could pass without a success, or never, each with its field. */
export function unreachableLimits({
  count,
  failureLimit,
  consecutiveSuccesses,
}: MetricSpec): readonly [string, string][] {
  if (count === null) return [];
  const found: [string, string][] = [];
  if (failureLimit >= count) {
    found.push([
      "failureLimit",
      `allows ${failureLimit} failures in ${count} measurements: no success would be needed`,
    ]);
  }
  if (consecutiveSuccesses !== null && consecutiveSuccesses > count) {
    found.push(["consecutiveSuccesses", `${consecutiveSuccesses} do not fit into ${count} measurements`]);
  }
  return found;
}

function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}
