import * as v from "valibot";
import { closedObject, crossCheck, parsedBy, refine, wholeNumber } from "../text/schema.ts";
import { parseRegion, type PrometheusAddress } from "./address.ts";
import { above, parseCondition } from "./condition.ts";
import { jobCriterion, jobMetric, jobSource } from "./job-metric.ts";
import { metricDataQueries, resultPeriodSeconds } from "./metric-data-query.ts";
import type { Criterion, MetricSpec } from "./spec.ts";
import { checkTemplate, isComparable } from "./template.ts";

const defaultCount = 5;
const defaultJobCount = 1;
const defaultInconclusiveLimit = 3;
const maxQueryLength = 4096;
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

export const measurementCount = wholeNumber(1, 1000);
const limit = wholeNumber(0, 1000);

function trimmed(expected: string) {
  return v.pipe(v.string(expected), v.trim(), v.nonEmpty(expected));
}

const number = v.pipe(
  v.custom<number | string>((given) => {
    return typeof given === "string" ? decimal.test(given.trim()) : Number.isFinite(given);
  }, "a number"),
  v.transform(Number),
);

const nameForm = "1 to 40 of a-z, 0-9 and -, with a letter or digit at both ends";
const isTemplate = (query: string) => checkTemplate(query)?.reason ?? null;

const cloudWatch = closedObject({
  region: v.nullish(v.pipe(trimmed("a region such as eu-central-1"), parsedBy(parseRegion)), null),
  metricDataQueries: v.pipe(
    metricDataQueries,
    refine((queries) => isTemplate(JSON.stringify(queries))),
  ),
});

const percentForm = "a percentage such as 20%";
const percent = v.pipe(
  v.string(percentForm),
  v.trim(),
  v.regex(/^\d{1,5}(?:\.\d{1,3})?%$/, percentForm),
  v.transform((written) => Number(written.slice(0, -1))),
);

const condition = v.pipe(trimmed("a condition such as result < 0.01"), parsedBy(parseCondition));

export const metricSchema = v.pipe(
  closedObject({
    name: v.pipe(v.string(nameForm), v.trim(), v.regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, nameForm)),
    query: v.nullish(
      v.pipe(trimmed("PromQL that returns one number"), v.maxLength(maxQueryLength), refine(isTemplate)),
    ),
    cloudWatch: v.nullish(cloudWatch),
    job: v.nullish(jobMetric),
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
  crossCheck([], ({ query, cloudWatch: queries, job }) => {
    if ([query, queries, job].filter(isGiven).length === 1) return [];
    return [{ path: [], reason: "needs either a query, for Prometheus, or cloudWatch, or a job" }];
  }),
  crossCheck([], ({ job, threshold, successCondition, failureCondition, compare }) => {
    const isJudged = [threshold, successCondition, failureCondition, compare].some(isGiven);
    if (isJudged !== isGiven(job)) return [];
    const needed = "needs a threshold, a successCondition, a failureCondition or compare";
    return [
      { path: [], reason: isJudged ? "has a job, whose exit code is the verdict; remove all conditions" : needed },
    ];
  }),
  crossCheck(["query", "cloudWatch", "job", "compare"], (written) => {
    if (!isGiven(written.compare) || isGiven(written.job) || isComparable(queryOf(written))) return [];
    return [
      { path: ["compare"], reason: "needs {{args.set}} or {{args.pods}} in the query: both sides would be equal" },
    ];
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

/** The fields of an analysis that apply to all of its metrics; null if one is not set. */
interface Common {
  readonly count: number | null;
  readonly prometheus: PrometheusAddress | null;
}

/** Fills in the defaults. */
export function resolveMetric(written: WrittenMetric, { count, prometheus }: Common): MetricSpec {
  const { name, cloudWatch: queries, job, consecutiveSuccesses } = written;
  const { inconclusiveLimit, consecutiveErrorLimit, dryRun } = written;
  const failureLimit = written.failureLimit ?? Math.max(0, (written.maxRetries ?? 0) - 1);
  const query = queryOf(written);
  return {
    name,
    provider: sourceOf(written, prometheus),
    query,
    baselineQuery: isGiven(written.compare) ? query : null,
    periodSeconds: isGiven(queries) ? resultPeriodSeconds(queries.metricDataQueries) : null,
    criterion: isGiven(job) ? jobCriterion : criterionOf(written),
    count:
      count ??
      (consecutiveSuccesses === null
        ? Math.max(isGiven(job) ? defaultJobCount : defaultCount, failureLimit + 1)
        : null),
    consecutiveSuccesses,
    failureLimit,
    inconclusiveLimit,
    consecutiveErrorLimit,
    dryRun,
  };
}

function sourceOf({ cloudWatch: queries, job }: WrittenMetric, prometheus: PrometheusAddress | null) {
  if (isGiven(job)) return jobSource(job);
  if (isGiven(queries)) return { kind: "cloudwatch", region: queries.region?.name ?? null } as const;
  return { kind: "prometheus", address: prometheus } as const;
}

/** Returns the query of any provider. A metric without one has a problem before. */
function queryOf({ query, cloudWatch: queries, job }: Pick<WrittenMetric, "query" | "cloudWatch" | "job">): string {
  return query ?? job?.name ?? JSON.stringify(queries!.metricDataQueries);
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
