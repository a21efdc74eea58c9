import { formatDuration } from "../duration.ts";
import { parseAddress } from "./address.ts";
import {
  type AnalysisProblem,
  type Fields,
  complain,
  durationIn,
  fieldsOf,
  listIn,
  parsedIn,
  wholeIn,
} from "./fields.ts";
import { counts, metricFields, readMetric } from "./parse-metric.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";

const fieldNames = ["prometheus", "interval", "initialDelay", "count", "deadline", "metrics"] as const;
const day = 86_400;
const defaultIntervalSeconds = 60;
const mostMetrics = 10;
/** Time for a Prometheus that is away for a while, in a deadline that nobody wrote. */
const outageSeconds = 300;

type Timing = Pick<AnalysisSpec, "intervalSeconds" | "initialDelaySeconds">;

/** Reads an analysis as YAML or JSON gave it, and reports every problem at once, each with the path of its field. */
export function parseAnalysis(input: unknown): AnalysisSpec | AnalysisProblem[] {
  const problems: AnalysisProblem[] = [];
  const fields = fieldsOf(input, "", fieldNames, problems);
  const prometheus = parsedIn(fields, "prometheus", parseAddress);
  const count = wholeIn(fields, "count", counts);
  const metrics = readMetrics(fields, count, problems);
  const timing = {
    intervalSeconds: durationIn(fields, "interval", { least: 1, most: day }) ?? defaultIntervalSeconds,
    initialDelaySeconds: durationIn(fields, "initialDelay", { least: 0, most: day }) ?? 0,
  };
  const deadlineSeconds = readDeadline(fields, metrics, timing);
  return problems.length > 0 ? problems : { kind: "analysis", prometheus, ...timing, deadlineSeconds, metrics };
}

function readMetrics(fields: Fields, count: number | null, problems: AnalysisProblem[]): readonly MetricSpec[] {
  const list = listIn(fields, "metrics") ?? [];
  if (list.length === 0 || list.length > mostMetrics) {
    complain(fields, "metrics", `must be a list of 1 to ${mostMetrics} metrics`);
  }
  const metrics = list.map((entry, index) =>
    readMetric(fieldsOf(entry, `metrics[${index}]`, metricFields, problems), count),
  );
  for (const [index, { name }] of metrics.entries()) {
    const first = metrics.findIndex((metric) => metric.name === name);
    if (first < index) complain(fields, `metrics[${index}].name`, `"${name}" is metrics[${first}]'s already`, name);
  }
  if (metrics.length > 0 && metrics.every(({ dryRun }) => dryRun)) {
    complain(fields, "metrics", "are all dry runs: nothing would decide");
  }
  return metrics;
}

function readDeadline(fields: Fields, metrics: readonly MetricSpec[], timing: Timing): number {
  const deciding = metrics.filter(({ dryRun }) => !dryRun);
  const written = durationIn(fields, "deadline", { least: 1, most: 7 * day });
  if (written === null) return derivedDeadline(deciding, timing);
  const least = Math.max(0, ...deciding.map((metric) => shortestSeconds(metric, timing)));
  if (written > least) return written;
  complain(fields, "deadline", `is too short: what passes is measured for ${formatDuration(least)}`);
  return written;
}

/** Twice the time it takes when every budget is used up: for a run that goes slowly, and none goes on for ever. */
function derivedDeadline(deciding: readonly MetricSpec[], { intervalSeconds, initialDelaySeconds }: Timing): number {
  const most = Math.max(0, ...deciding.map(mostMeasurements));
  return initialDelaySeconds + 2 * most * intervalSeconds + outageSeconds;
}

/** Without a count, each failure and each inconclusive measurement can begin the row of successes anew. */
function mostMeasurements({ count, consecutiveSuccesses, failureLimit, inconclusiveLimit }: MetricSpec): number {
  if (count !== null) return count + inconclusiveLimit;
  return Number(consecutiveSuccesses) * (1 + failureLimit + inconclusiveLimit);
}

function shortestSeconds({ count, consecutiveSuccesses }: MetricSpec, timing: Timing): number {
  const measurements = consecutiveSuccesses ?? Number(count);
  return timing.initialDelaySeconds + (measurements - 1) * timing.intervalSeconds;
}
