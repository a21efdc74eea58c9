import * as v from "valibot";
import { closedObject, crossCheck, parsedBy, trimmedText, wholeNumber } from "../text/schema.ts";
import { above, type Criterion, parseCondition } from "./condition.ts";
import { compareSchema, isGiven, resolveComparison, testOf } from "./parse-compare.ts";
import { fieldNames, givenFields, providerFields, verdictOf } from "./providers/providers.ts";
import { countsProblem, queriesOf } from "./parse-queries.ts";
import { promqlRangeSeconds } from "./providers/promql-range.ts";
import { webRangeSeconds } from "./providers/web.ts";
import { type FailureLimit, failureLimitSchema, maxWindow } from "./failure-limit.ts";
import type { MetricSpec } from "./spec.ts";
import { checkTemplate, isComparable } from "./template.ts";

const defaultCount = 5;
const defaultInconclusiveLimit = 3;
/** Before the range of a comparison: a pod that has just started is slower than one that has served for days. */
const defaultWarmUpSeconds = 60;
const failureFields = ["failureLimit", "consecutiveFailures", "maxRetries"] as const;
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

const condition = v.pipe(trimmedText("a condition such as result < 0.01"), parsedBy(parseCondition));

export const metricSchema = v.pipe(
  closedObject({
    name: v.pipe(v.string(nameForm), v.trim(), v.regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, nameForm)),
    ...providerFields,
    compare: v.nullish(compareSchema),
    threshold: v.nullish(number),
    successCondition: v.nullish(condition),
    failureCondition: v.nullish(condition),
    failureLimit: v.nullish(failureLimitSchema),
    consecutiveFailures: v.nullish(wholeNumber(2, maxWindow)),
    /** claw-operator's name: the failure that ends the analysis, not the last one that is allowed. */
    maxRetries: v.nullish(limit),
    inconclusiveLimit: v.nullish(limit),
    consecutiveErrorLimit: v.nullish(limit, null),
    consecutiveSuccesses: v.nullish(measurementCount, null),
    dryRun: v.nullish(v.boolean(), false),
    /** Whether the range of a query may be longer than the interval. */
    overlap: v.nullish(v.boolean(), false),
  }),
  crossCheck([], (written) => {
    const { compare } = written as { readonly compare?: { readonly numerator?: unknown } | null };
    const count = givenFields(written).length;
    if (count === 1 || (count === 0 && isGiven(compare?.numerator))) return [];
    return [{ path: [], reason: `needs one of ${fieldNames.join(", ")}, or compare with a numerator` }];
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
    const reason = countsProblem(written);
    if (reason !== null) return [{ path: ["compare"], reason }];
    const { texts } = queriesOf(written);
    for (const { path, query } of texts) {
      const problem = checkTemplate(query);
      if (problem !== null) return [{ path, reason: problem.reason }];
    }
    if (!isGiven(written.compare) || verdictOf(written) !== null) return [];
    const same = texts.filter(({ query }) => !isComparable(query));
    return same.map(({ path }) => ({
      path: ["compare"],
      reason: `needs {{args.set}} or {{args.pods}} in ${path.join(".")}: both sides would be equal`,
    }));
  }),
  crossCheck(["threshold"], ({ threshold, successCondition, failureCondition }) => {
    if (!isGiven(threshold) || (!isGiven(successCondition) && !isGiven(failureCondition))) return [];
    return [{ path: ["threshold"], reason: "is set in addition to a condition; use one or the other" }];
  }),
  crossCheck(["compare"], (written) => {
    if (!isGiven(written.compare) || testOf(written.compare) === null) return [];
    const limits = [...failureFields, "inconclusiveLimit", "consecutiveSuccesses", "overlap"] as const;
    return limits
      .filter((field) => isGiven(written[field]) && written[field] !== false)
      .map((field) => ({ path: [field], reason: "does not apply: the test judges the whole run; remove it" }));
  }),
  crossCheck([], (written) => {
    const [first, ...others] = failureFields.filter((field) => isGiven(written[field]));
    return others.map((field) => ({ path: [field], reason: `is set in addition to ${first}; use one or the other` }));
  }),
);

type WrittenMetric = v.InferOutput<typeof metricSchema>;

function rangeOf(kind: MetricSpec["provider"]["kind"], query: string): number {
  if (kind === "web") return webRangeSeconds(query);
  return kind === "prometheus" ? promqlRangeSeconds(query) : 0;
}

/** Fills in the defaults; `count` is that of the analysis. A metric without a query has a problem before. */
export function resolveMetric(written: WrittenMetric, count: number | null): MetricSpec {
  const { name, consecutiveSuccesses, consecutiveErrorLimit, dryRun } = written;
  const { failures: failureLimit, window } = failureLimitOf(written);
  const verdict = verdictOf(written);
  const { query, denominatorQuery, provider, periodSeconds, arrivalSeconds, texts } = queriesOf(written);
  const criterion = verdict?.criterion ?? criterionOf(written);
  const rangeSeconds = Math.max(...texts.map((text) => rangeOf(provider.kind, text.query)));
  const baseline = (text: string) => (isGiven(written.compare) ? text : null);
  return {
    name,
    provider,
    query,
    baselineQuery: baseline(query),
    denominator:
      denominatorQuery === null ? null : { query: denominatorQuery, baselineQuery: baseline(denominatorQuery) },
    periodSeconds,
    arrivalSeconds,
    rangeSeconds,
    warmUpSeconds: isGiven(written.compare) ? rangeSeconds + defaultWarmUpSeconds : 0,
    overlaps: written.overlap,
    criterion,
    count: count ?? (consecutiveSuccesses === null ? Math.max(verdict?.count ?? defaultCount, failureLimit + 1) : null),
    consecutiveSuccesses,
    failureLimit,
    failureWindow: window,
    inconclusiveLimit: written.inconclusiveLimit ?? defaultInconclusiveLimit,
    consecutiveErrorLimit,
    dryRun,
  };
}

/** So many failures in a row are all of the last measurements. */
function failureLimitOf({ failureLimit, consecutiveFailures, maxRetries }: WrittenMetric): FailureLimit {
  if (isGiven(consecutiveFailures)) return { failures: consecutiveFailures - 1, window: consecutiveFailures };
  return failureLimit ?? { failures: Math.max(0, (maxRetries ?? 0) - 1), window: null };
}

function criterionOf({ threshold, successCondition, failureCondition, compare }: WrittenMetric): Criterion {
  const comparison = isGiven(compare) ? resolveComparison(compare) : null;
  if (isGiven(threshold)) return { success: null, failure: above(threshold), comparison };
  return { success: successCondition ?? null, failure: failureCondition ?? null, comparison };
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
