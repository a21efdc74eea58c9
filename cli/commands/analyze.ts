import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { parseDocument } from "yaml";
import type { SchemaProblem } from "../../functions/domain/text/schema-problems.ts";
import type { Verdict } from "../../functions/domain/analysis/judge.ts";
import { parseAnalysisOrTemplate } from "../../functions/domain/analysis/argo-template.ts";
import { limitCount, measureOnce, splitJobs, withoutJobs } from "../../functions/domain/analysis/short-run.ts";
import { isSameScope } from "../../functions/domain/analysis/providers/provider.ts";
import { queryProviders } from "../../functions/domain/analysis/providers/providers.ts";
import { parseAddress } from "../../functions/domain/analysis/providers/prometheus-address.ts";
import type { AnalysisSpec, QuerySource } from "../../functions/domain/analysis/spec.ts";
import { type Args, bindArgs } from "../../functions/domain/analysis/template.ts";
import { formatRfc3339, secondsAfter, secondsBetween } from "../../functions/domain/text/rfc3339.ts";
import type { MetricProviders } from "../../functions/ports/metric-provider.ts";
import { shareProviders } from "../../functions/workflows/query-metric.ts";
import { type Line, measureAll, type OnMeasured, systemClock } from "../analysis/measure-all.ts";
import { readRecording } from "../analysis/recording.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { checkMetricLogins, type MetricLoginOptions, withMetricLoginOption } from "../options/metric-providers.ts";
import { validOrThrow } from "../input/parse.ts";
import { metricChart } from "../output/metric-chart.ts";
import { printJson, printStdout } from "../output/print.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";

interface Options extends MetricLoginOptions {
  readonly prometheus?: string;
  readonly replay?: string;
  readonly arg: Args;
  readonly once?: true;
  readonly count?: number;
  readonly json?: true;
}

export function createCommand(): Command {
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
    .addOption(
      new Option(
        "--replay <file>",
        "judge recorded answers of query_range, in JSON, instead of querying; needs no --arg",
      ).conflicts(["prometheus", "metricLogin", "once", "count"]),
    )
    .option("--json", "print one JSON document, at the end")
    .addHelpText(
      "after",
      "\nExample:\n  pawl analyze analysis.yaml --prometheus http://127.0.0.1:9090 --arg namespace=shop --arg name=web --once",
    )
    .action(analyze);
}

async function analyze(file: string, options: Options): Promise<void> {
  await checkMetricLogins(options);
  const lines: Line[] = [];
  const onMeasured = (line: Line) => {
    lines.push(line);
    if (!options.json) printStdout(formatLine(line));
  };
  const { spec, end, jobs } = await (options.replay === undefined ? measureNow : replay)(file, options, onMeasured);
  const { kind, reason } = withoutJobs(end, jobs);
  const at = options.replay === undefined ? {} : { at: formatRfc3339(end.at) };
  if (options.json) printJson({ verdict: kind, reason, ...at, measurements: lines });
  else {
    // One measurement of each metric is no run.
    if (lines.length > spec.metrics.length) printStdout(metricChart(lines, process.stdout));
    printStdout(`${kind}${at.at === undefined ? "" : ` at ${at.at}`}: ${toSingleLine(reason)}\n`);
  }
  process.exitCode = exitCodeByVerdict[kind];
}

async function measureNow(file: string, options: Options, onMeasured: OnMeasured) {
  const bound = bindArgs(await readSpec(file), options.arg);
  const split = splitJobs(limitMeasurements(analysisOrThrow(file, bound), options));
  const open = shareProviders(createProviders(options));
  for (const { provider } of split.metrics) await open(provider);
  const end = await measureAll(split, ({ provider }) => open(provider), systemClock, onMeasured);
  return { ...split, end };
}

/** The run begins with the first sample, and cannot continue past the last one. */
async function replay(file: string, { replay: recorded = "" }: Options, onMeasured: OnMeasured) {
  const { spec, metrics: queried, jobs } = splitJobs(await readSpec(file));
  const { metrics, startsAt, endsAt, open } = await readRecording(recorded, spec, queried);
  const seconds = Math.ceil(secondsBetween(startsAt, endsAt));
  const deadlineSeconds = Math.min(spec.deadlineSeconds, seconds);
  let time = startsAt;
  const now = () => time;
  const wait = async (waited: number) => {
    time = secondsAfter(time, waited);
  };
  const provider = open(now);
  const end = await measureAll(
    { spec: { ...spec, deadlineSeconds }, metrics },
    async () => provider,
    { now, wait },
    onMeasured,
  );
  const isCutOff = end.kind === "inconclusive" && secondsBetween(startsAt, end.at) >= seconds;
  return { spec, jobs, end: isCutOff ? { ...end, reason: `${end.reason}, when the recording ends` } : end };
}

const exitCodeByVerdict = {
  pass: exitCodes.ok,
  fail: exitCodes.noMatch,
  inconclusive: exitCodes.noMatch,
  error: exitCodes.unreachable,
} satisfies Record<Verdict, number>;

async function readSpec(file: string): Promise<AnalysisSpec> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new InvalidInput(`${file} is invalid: ${error.message}`, { cause: error });
  });
  const document = parseDocument(text);
  const [yamlError] = document.errors;
  if (yamlError !== undefined) throw new InvalidInput(`${file} is not YAML: ${yamlError.message}`);
  return analysisOrThrow(file, parseAnalysisOrTemplate(document.toJS()));
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
