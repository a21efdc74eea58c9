import { above, parseCondition } from "./condition.ts";
import { type Fields, complain, flagIn, has, numberIn, parsedIn, textIn, wholeIn } from "./fields.ts";
import type { Criterion, MetricSpec } from "./spec.ts";
import { checkTemplate } from "./template.ts";

export const metricFields = [
  "name",
  "query",
  "threshold",
  "successCondition",
  "failureCondition",
  "failureLimit",
  "maxRetries",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccesses",
  "dryRun",
] as const;

export const counts = { least: 1, most: 1000 } as const;
const limits = { least: 0, most: 1000 } as const;

const defaultCount = 5;
const defaultInconclusiveLimit = 3;
/** Argo Rollouts' own. */
const defaultConsecutiveErrorLimit = 4;
const longestQuery = 4096;

/** `count` is what the analysis says for all of its metrics; null where it says nothing. */
export function readMetric(fields: Fields, count: number | null): MetricSpec {
  const failureLimit = readFailureLimit(fields);
  const consecutiveSuccesses = wholeIn(fields, "consecutiveSuccesses", counts);
  const metric: MetricSpec = {
    name: readName(fields),
    query: readQuery(fields),
    criterion: readCriterion(fields),
    count: count ?? (consecutiveSuccesses === null ? Math.max(defaultCount, failureLimit + 1) : null),
    consecutiveSuccesses,
    failureLimit,
    inconclusiveLimit: wholeIn(fields, "inconclusiveLimit", limits) ?? defaultInconclusiveLimit,
    consecutiveErrorLimit: wholeIn(fields, "consecutiveErrorLimit", limits) ?? defaultConsecutiveErrorLimit,
    dryRun: flagIn(fields, "dryRun") ?? false,
  };
  checkReachable(fields, metric);
  return metric;
}

function readName(fields: Fields): string {
  const name = textIn(fields, "name") ?? "";
  if (!/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)) {
    complain(fields, "name", `"${name}" must be 1 to 40 of a-z, 0-9 and -, with a letter or digit at both ends`);
  }
  return name;
}

function readQuery(fields: Fields): string {
  const query = textIn(fields, "query") ?? "";
  if (query === "") complain(fields, "query", "is missing: write the PromQL that gives one number");
  if (query.length > longestQuery) complain(fields, "query", `is longer than ${longestQuery} characters`);
  const problem = checkTemplate(query);
  if (problem !== null) complain(fields, "query", problem.reason, problem.part);
  return query;
}

function readCriterion(fields: Fields): Criterion {
  const threshold = numberIn(fields, "threshold");
  const success = parsedIn(fields, "successCondition", parseCondition);
  const failure = parsedIn(fields, "failureCondition", parseCondition);
  const isJudged = ["threshold", "successCondition", "failureCondition"].some((name) => has(fields, name));
  if (!isJudged) complain(fields, "", "needs a threshold, a successCondition or a failureCondition");
  if (threshold === null) return { success, failure };
  if (success !== null || failure !== null) {
    complain(fields, "threshold", "stands beside conditions: write one or the other");
  }
  return { success: null, failure: above(threshold) };
}

/** The seed's `maxRetries` names the failure that ends it, a failureLimit the last one that does not. */
function readFailureLimit(fields: Fields): number {
  const failureLimit = wholeIn(fields, "failureLimit", limits);
  const maxRetries = wholeIn(fields, "maxRetries", limits);
  if (failureLimit !== null && maxRetries !== null) {
    complain(fields, "maxRetries", "stands beside failureLimit: write one or the other");
  }
  return failureLimit ?? Math.max(0, (maxRetries ?? 0) - 1);
}

function checkReachable(fields: Fields, { count, failureLimit, consecutiveSuccesses }: MetricSpec): void {
  if (count === null) return;
  if (failureLimit >= count) {
    complain(fields, "failureLimit", `allows ${failureLimit} failures in ${count} measurements: none need pass`);
  }
  if (consecutiveSuccesses !== null && consecutiveSuccesses > count) {
    complain(fields, "consecutiveSuccesses", `${consecutiveSuccesses} do not fit into ${count} measurements`);
  }
}
