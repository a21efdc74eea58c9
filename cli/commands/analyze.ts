import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { parseDocument } from "yaml";
import type { ComparisonState } from "../../functions/domain/analysis/comparison/comparison.ts";
import { assess } from "../../functions/domain/analysis/assess.ts";
import type { SchemaProblem } from "../../functions/domain/text/schema-problems.ts";
import { type MeasurementOutcome, unmeasured, type Verdict } from "../../functions/domain/analysis/judge.ts";
import { countsOf, measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../functions/domain/analysis/parse-analysis.ts";
import {
  limitCount,
  measureOnce,
  type RunEnd,
  splitJobs,
  type QueriedMetric,
  withoutJobs,
} from "../../functions/domain/analysis/short-run.ts";
import { isSameScope } from "../../functions/domain/analysis/providers/provider.ts";
import { queryProviders } from "../../functions/domain/analysis/providers/providers.ts";
import { parseAddress } from "../../functions/domain/analysis/providers/prometheus-address.ts";
import type { AnalysisSpec, MetricSpec, QuerySource } from "../../functions/domain/analysis/spec.ts";
import { type Args, bindArgs } from "../../functions/domain/analysis/template.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { MetricProvider, MetricProviders } from "../../functions/ports/metric-provider.ts";
import { queryMetric, shareProviders } from "../../functions/workflows/query-metric.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { checkMetricLogins, type MetricLoginOptions, withMetricLoginOption } from "../options/metric-providers.ts";
import { validOrThrow } from "../input/parse.ts";
import { metricChart } from "../output/metric-chart.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";

interface Options extends MetricLoginOptions {
  readonly prometheus?: string;
  readonly arg: Args;
  readonly once?: true;
  readonly count?: number;
  readonly json?: true;
}

interface Line extends MeasurementOutcome {
  readonly metric: string;
  readonly at: string;
  readonly dryRun: boolean;
}

export function analyzeCommand(): Command {
  return withMetricLoginOption(new Command("analyze"))
    .description(
      "Runs a canary analysis, as an update does, and prints each measurement, a chart of each metric and the verdict. " +
        "CloudWatch is queried with your AWS credentials, and in your default region unless the file names one. The exit code " +
        "is 0 if it passes, 1 if it fails or is inconclusive, 3 if nothing could be measured. It creates no Jobs: without its jobs, " +
        "an analysis is inconclusive at best.",
    )
    .argument("<file>", "the analysis, in YAML or JSON")
    .option("--prometheus <address>", "https://host[:port][/path] or amp://region/workspace (default: the file's)")
    .option("--arg <name=value>", "value of {{args.name}}; may be repeated", addArg, {})
    .addOption(new Option("--once", "measure each metric once, immediately").conflicts("count"))
    .option("--count <number>", "measure each metric this number of times, starting immediately", parseCount)
    .option("--json", "print one JSON document, at the end")
    .addHelpText(
      "after",
      "\nExample:\n  pawl analyze analysis.yaml --prometheus http://127.0.0.1:9090 --arg namespace=shop --arg name=web --once",
    )
    .action(analyze);
}

async function analyze(file: string, options: Options): Promise<void> {
  await checkMetricLogins(options);
  const { spec, metrics, jobs } = splitJobs(limitMeasurements(await readSpec(file, options.arg), options));
  const open = shareProviders(createProviders(options));
  for (const { provider } of metrics) await open(provider);
  const lines: Line[] = [];
  const verdict = await run(spec, metrics, open, (line) => {
    lines.push(line);
    if (!options.json) printStdout(formatLine(line));
  });
  const { kind, reason } = withoutJobs(verdict, jobs);
  if (options.json) printJson({ verdict: kind, reason, measurements: lines });
  else {
    // One measurement of each metric is no run.
    if (lines.length > spec.metrics.length) printStdout(metricChart(lines, process.stdout));
    printStdout(`${kind}: ${toSingleLine(reason)}\n`);
  }
  process.exitCode = exitCodeByVerdict[kind];
}

const exitCodeByVerdict = {
  pass: exitCodes.ok,
  fail: exitCodes.noMatch,
  inconclusive: exitCodes.noMatch,
  error: exitCodes.unreachable,
} satisfies Record<Verdict, number>;

async function readSpec(file: string, args: Args): Promise<AnalysisSpec> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new InvalidInput(`${file} is invalid: ${error.message}`, { cause: error });
  });
  const document = parseDocument(text);
  const [yamlError] = document.errors;
  if (yamlError !== undefined) throw new InvalidInput(`${file} is not YAML: ${yamlError.message}`);
  return analysisOrThrow(file, bindArgs(analysisOrThrow(file, parseAnalysis(document.toJS())), args));
}

function analysisOrThrow(file: string, read: AnalysisSpec | SchemaProblem[]): AnalysisSpec {
  if (!Array.isArray(read)) return read;
  throw new InvalidInput(`${file}: ${read.map(({ reason }) => reason).join("; ")}`);
}

function limitMeasurements(spec: AnalysisSpec, options: Options): AnalysisSpec {
  if (options.once) return measureOnce(spec);
  return options.count === undefined ? spec : limitCount(spec, options.count);
}

function createProviders({ prometheus, metricLogin = [] }: Options): MetricProviders {
  return async (source) => {
    const { kind, address } = source.kind === "prometheus" ? prometheusSource(source, prometheus) : source;
    const { parse } = queryProviders[kind];
    const login = metricLogin.find((one) => address !== null && isSameScope(parse(one.address), parse(address)));
    const { openAdapter } = await import("../../functions/runtime/open-metric-providers.ts");
    const { createCredentialProvider } = await import("../../functions/adapters/aws/eks/credentials.ts");
    const { fileLogin } = await import("../../functions/adapters/metric-provider-access.ts");
    return openAdapter(
      { kind, address },
      {
        login: login === undefined ? null : fileLogin(login.file),
        kubeConfig: () => Promise.reject(new InvalidInput("a Service address is not supported here")),
        credentials: createCredentialProvider(null, {}),
        now: () => new Date(),
      },
    );
  };
}

function prometheusSource(source: QuerySource, prometheus: string | undefined): QuerySource {
  const address = prometheus ?? source.address;
  if (address === null) throw new InvalidInput("no Prometheus given; set --prometheus");
  const parsed = validOrThrow("--prometheus", parseAddress(address));
  if (parsed.kind !== "service") return { ...source, address };
  const { namespace, name, port } = parsed;
  throw new InvalidInput(
    `a Service address is not supported here; run "kubectl -n ${namespace} port-forward service/${name} 9090:${port}" in parallel ` +
      "and use --prometheus http://127.0.0.1:9090",
  );
}

async function run(
  spec: AnalysisSpec,
  metrics: readonly QueriedMetric[],
  open: MetricProviders,
  onMeasured: (line: Line) => void,
): Promise<RunEnd> {
  let state = startAnalysis(new Date());
  for (;;) {
    const assessment = assess(spec, state, new Date());
    if (assessment.kind !== "running") return assessment;
    for (const metric of metrics.filter(({ name }) => assessment.due.includes(name))) {
      const outcome = await evaluateMetric(
        metric,
        await open(metric.provider),
        countsOf(state, metric.name).comparison,
      );
      const now = new Date();
      state = measure(state, metric.name, outcome, now);
      onMeasured({ metric: metric.name, at: formatRfc3339(now), dryRun: metric.dryRun, ...outcome });
    }
    if (assessment.due.length === 0) await pause(assessment.waitSeconds * 1000);
  }
}

/** Evaluates a metric. An unreachable provider is no measurement; a rejected query is an error. */
async function evaluateMetric(
  metric: MetricSpec,
  provider: MetricProvider,
  before: ComparisonState | undefined,
): Promise<MeasurementOutcome> {
  try {
    const { outcome, warnings } = await queryMetric(provider, metric, before);
    for (const warning of warnings) printStderr(`${metric.name}: ${warning}`);
    return outcome;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === "Unreachable" || error.name === "Throttled") return unmeasured(error.message);
    const isQueryError = "status" in error && (error.status === 400 || error.status === 422 || error.status === 200);
    throw isQueryError ? new InvalidInput(`${metric.name}: ${error.message}`, { cause: error }) : error;
  }
}

function formatLine({ at, metric, verdict, value, note, baseline, dryRun }: Line): string {
  const text = toSingleLine(note ?? String(value));
  const stable = baseline === undefined ? "" : `; stable pods: ${baseline}`;
  return `${at}  ${verdict.padEnd("inconclusive".length)}  ${metric}: ${text}${stable}${dryRun ? " (dry run)" : ""}\n`;
}

function addArg(text: string, before: Args): Args {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Use name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("Use a whole number from 1 to 999.");
  return Number(text);
}
