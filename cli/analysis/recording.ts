import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { metricIntervalSeconds } from "../../functions/domain/analysis/period.ts";
import type { QueriedMetric } from "../../functions/domain/analysis/short-run.ts";
import type { AnalysisSpec } from "../../functions/domain/analysis/spec.ts";
import { formatDuration } from "../../functions/domain/text/duration.ts";
import { fromEpoch } from "../../functions/domain/text/rfc3339.ts";
import { validate } from "../../functions/domain/text/schema-problems.ts";
import { closedObject, refine, text } from "../../functions/domain/text/schema.ts";
import type { MetricProvider } from "../../functions/ports/metric-provider.ts";
import { InvalidInput } from "../exit-codes.ts";

/** Series that were recorded, to be measured at the time of any clock. */
interface Recording {
  readonly startsAt: Date;
  /** When its last sample is no longer current. */
  readonly endsAt: Date;
  /** The metrics, whose queries are the names of their series. */
  readonly metrics: readonly QueriedMetric[];
  readonly open: (now: () => Date) => MetricProvider;
}

interface Series {
  readonly samples: readonly Sample[];
  /** How long a sample is current, in milliseconds. */
  readonly stepMs: number;
}

interface Sample {
  readonly at: number;
  readonly value: number;
}

const sample = v.pipe(
  v.tuple([v.number("a time in seconds"), text(/^(?:NaN|[-+]?Inf|[-+]?\d.*)$/, "a number as a text")]),
  v.transform(([at, value]): Sample => ({ at: at * 1000, value: Number(value.replace(/Inf$/, "Infinity")) })),
);

/** An answer of `/api/v1/query_range`. */
const answer = v.pipe(
  v.object({
    status: v.literal("success"),
    warnings: v.nullish(v.pipe(v.array(v.string()), v.maxLength(0, "empty"))),
    data: v.object({
      resultType: v.literal("matrix"),
      result: v.pipe(
        v.array(v.object({ values: v.pipe(v.array(sample), v.minLength(1)) })),
        v.length(1, "one series; aggregate the query"),
      ),
    }),
  }),
  v.transform(({ data }) => data.result[0]!.values),
  refine((samples) => {
    const isSorted = samples.every(({ at }, index) => index === 0 || at > samples[index - 1]!.at);
    return isSorted ? null : "its samples are not in the order of their times";
  }),
);

/** Reads the file of `--replay`. Throws `InvalidInput`. */
export async function readRecording(file: string, spec: AnalysisSpec, given: readonly QueriedMetric[]) {
  const metrics = given.map(withSeriesNames);
  if (metrics.length === 0) throw new InvalidInput(`${file}: the analysis has only Jobs, of which nothing is recorded`);
  const document = await readJson(file);
  const [first, ...others] = metrics;
  const isAlone = typeof document === "object" && document !== null && "status" in document && others.length === 0;
  const schema = closedObject(Object.fromEntries(metrics.map((metric) => [metric.name, schemaOf(metric)])));
  const read = validate(schema, isAlone ? { [`${first?.name}`]: document } : document, "recording");
  if (read.kind === "invalid")
    throw new InvalidInput(`${file}: ${read.problems.map(({ reason }) => reason).join("; ")}`);
  const series = new Map(
    metrics.flatMap((metric) =>
      Object.entries(read.value[metric.name]!).map(([name, samples]) => {
        const seconds = metricIntervalSeconds(metric, spec);
        return [`${metric.name}: ${name}`, seriesOf(`${file}: ${metric.name}: ${name}`, samples, seconds)] as const;
      }),
    ),
  );
  return recordingOf(metrics, series);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as unknown;
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidInput(`${file}: no JSON could be read: ${message}`, { cause: error });
  }
}

/** A metric without a comparison has one series, and is written as its answer. */
function schemaOf({ baselineQuery, denominator }: QueriedMetric): v.GenericSchema<unknown, Record<string, Sample[]>> {
  if (baselineQuery === null)
    return v.pipe(
      answer,
      v.transform((canary) => ({ canary })),
    );
  const compared = { canary: answer, stable: answer };
  if (denominator === null) return closedObject(compared);
  return closedObject({ ...compared, canaryDenominator: answer, stableDenominator: answer });
}

function withSeriesNames(metric: QueriedMetric): QueriedMetric {
  const { name, baselineQuery, denominator } = metric;
  return {
    ...metric,
    query: `${name}: canary`,
    baselineQuery: baselineQuery && `${name}: stable`,
    denominator: denominator && { query: `${name}: canaryDenominator`, baselineQuery: `${name}: stableDenominator` },
  };
}

/** The step is the shortest time between two samples: an answer has none while its query returned nothing. */
function seriesOf(what: string, samples: readonly Sample[], intervalSeconds: number): Series {
  const gaps = samples.slice(1).map(({ at }, index) => at - samples[index]!.at);
  const stepMs = gaps.length === 0 ? intervalSeconds * 1000 : Math.min(...gaps);
  if (stepMs <= intervalSeconds * 1000) return { samples, stepMs };
  const [step, interval] = [formatDuration(stepMs / 1000), formatDuration(intervalSeconds)];
  throw new InvalidInput(
    `${what}: has a sample every ${step}, and is measured every ${interval}; record it with step=${intervalSeconds}`,
  );
}

function recordingOf(metrics: readonly QueriedMetric[], series: ReadonlyMap<string, Series>): Recording {
  const all = [...series.values()];
  return {
    startsAt: fromEpoch(Math.ceil(Math.min(...all.map(({ samples }) => samples[0]!.at)) / 1000) * 1000),
    endsAt: fromEpoch(Math.max(...all.map(({ samples, stepMs }) => samples.at(-1)!.at + stepMs))),
    metrics,
    open: (now) => ({
      query: async (name) => {
        const { samples, stepMs } = series.get(name)!;
        const time = now().getTime();
        const found = samples.findLast(({ at }) => at <= time && at > time - stepMs);
        if (found === undefined) return { kind: "none", reason: "nothing is recorded", at: null, warnings: [] };
        return { kind: "value", value: found.value, at: fromEpoch(found.at), warnings: [] };
      },
    }),
  };
}
