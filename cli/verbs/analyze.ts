import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { parseDocument } from "yaml";
import { parseAddress, type PrometheusAddress } from "../../functions/domain/analysis/address.ts";
import { assess } from "../../functions/domain/analysis/assess.ts";
import type { AnalysisProblem } from "../../functions/domain/analysis/fields.ts";
import { judge, type Outcome, unmeasured, type Verdict } from "../../functions/domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../functions/domain/analysis/parse-analysis.ts";
import { once, withCount } from "../../functions/domain/analysis/shorten.ts";
import type { AnalysisSpec, MetricSpec } from "../../functions/domain/analysis/spec.ts";
import { type Args, bindArgs } from "../../functions/domain/analysis/template.ts";
import { formatRfc3339 } from "../../functions/domain/time.ts";
import type { MetricSource } from "../../functions/ports/metric-source.ts";
import { exitCodes, WrongInput } from "../exit.ts";
import { valid } from "../input/valid.ts";
import { printJson } from "../output/json.ts";
import { oneLine } from "../output/one-line.ts";
import { say } from "../output/say.ts";

interface Options {
  readonly prometheus?: string;
  readonly bearerTokenFile?: string;
  readonly arg: Args;
  readonly once?: true;
  readonly count?: number;
  readonly json?: true;
}

interface Line extends Outcome {
  readonly metric: string;
  readonly at: string;
  readonly dryRun: boolean;
}

export function analyzeCommand(): Command {
  return new Command("analyze")
    .description(
      "Runs the analysis of a canary against a Prometheus, as an update would, and prints each measurement and the " +
        "verdict. The status is 0 where it passes, 1 where it fails or is inconclusive, 3 where nothing could be measured.",
    )
    .argument("<file>", "the analysis, in YAML or JSON")
    .option("--prometheus <address>", "https://host[:port][/path] or amp://region/workspace (default: the file's)")
    .option("--bearer-token-file <file>", "sent to the Prometheus, where it wants a login")
    .option("--arg <name=value>", "what {{args.name}} stands for; may be repeated", addArg, {})
    .addOption(new Option("--once", "measure each metric once, at once").conflicts("count"))
    .option("--count <number>", "measure each metric so many times, beginning at once", countOf)
    .option("--json", "print one JSON document, at the end")
    .addHelpText(
      "after",
      "\nExample:\n  pawl analyze analysis.yaml --prometheus http://127.0.0.1:9090 --arg namespace=shop --arg name=web --once",
    )
    .action(analyze);
}

async function analyze(file: string, options: Options): Promise<void> {
  const spec = shorten(await readSpec(file, options.arg), options);
  const source = await openSource(spec, options);
  const lines: Line[] = [];
  const { kind, reason } = await run(spec, source, (line) => {
    lines.push(line);
    if (!options.json) process.stdout.write(spell(line));
  });
  if (options.json) printJson({ verdict: kind, reason, measurements: lines });
  else process.stdout.write(`${kind}: ${oneLine(reason)}\n`);
  process.exitCode = exitOf[kind];
}

const exitOf = {
  pass: exitCodes.done,
  fail: exitCodes.nothing,
  inconclusive: exitCodes.nothing,
  error: exitCodes.cannotReach,
} satisfies Record<Verdict, number>;

async function readSpec(file: string, args: Args): Promise<AnalysisSpec> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new WrongInput(`${file} cannot be read: ${error.message}`, { cause: error });
  });
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake !== undefined) throw new WrongInput(`${file} is not YAML: ${mistake.message}`);
  return sound(file, bindArgs(sound(file, parseAnalysis(document.toJS())), args));
}

function sound(file: string, read: AnalysisSpec | AnalysisProblem[]): AnalysisSpec {
  if (!Array.isArray(read)) return read;
  throw new WrongInput(`${file}: ${read.map(({ reason }) => reason).join("; ")}`);
}

function shorten(spec: AnalysisSpec, options: Options): AnalysisSpec {
  if (options.once) return once(spec);
  return options.count === undefined ? spec : withCount(spec, options.count);
}

async function openSource(spec: AnalysisSpec, options: Options): Promise<MetricSource> {
  const address = addressOf(spec, options);
  const { bearerTokenFile } = options;
  const { openMetricSource } = await import("../../functions/adapters/prometheus/open.ts");
  return openMetricSource(address, {
    allowed: [address],
    now: () => new Date(),
    login: async () =>
      bearerTokenFile === undefined
        ? null
        : { kind: "bearer", token: (await readFile(bearerTokenFile, "utf8")).trim() },
    credentials: async () => {
      const { credentialsOf } = await import("../../functions/adapters/eks/credentials.ts");
      return credentialsOf(null, {})();
    },
    kubeConfig: () => Promise.reject(new WrongInput("a Service is not asked from here")),
  });
}

function addressOf({ prometheus }: AnalysisSpec, options: Options): PrometheusAddress {
  const address =
    options.prometheus === undefined ? prometheus : valid("--prometheus", parseAddress(options.prometheus));
  if (address === null) throw new WrongInput("which Prometheus? Name one with --prometheus");
  if (address.kind !== "service") return address;
  const { namespace, name, port } = address;
  throw new WrongInput(
    `a Service is not asked from here: run "kubectl -n ${namespace} port-forward service/${name} 9090:${port}" beside ` +
      "this and name it with --prometheus http://127.0.0.1:9090",
  );
}

async function run(spec: AnalysisSpec, source: MetricSource, tell: (line: Line) => void) {
  let state = startAnalysis(new Date());
  for (;;) {
    const assessment = assess(spec, state, new Date());
    if (assessment.kind !== "running") return assessment;
    for (const metric of spec.metrics.filter(({ name }) => assessment.due.includes(name))) {
      const outcome = await ask(metric, source);
      const now = new Date();
      state = measure(state, metric.name, outcome, now);
      tell({ metric: metric.name, at: formatRfc3339(now), dryRun: metric.dryRun, ...outcome });
    }
    if (assessment.due.length === 0) await pause(assessment.waitSeconds * 1000);
  }
}

/** A Prometheus that does not answer may do so next time; one that refuses will refuse again. */
async function ask({ name, query, criterion }: MetricSpec, source: MetricSource): Promise<Outcome> {
  try {
    const reading = await source.query(query);
    for (const warning of reading.warnings) say(oneLine(`${name}: ${warning}`));
    return judge(criterion, reading);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === "Unreachable" || error.name === "Throttled") return unmeasured(error.message);
    const isOfQuery = "status" in error && (error.status === 400 || error.status === 422 || error.status === 200);
    throw isOfQuery ? new WrongInput(`${name}: ${error.message}`, { cause: error }) : error;
  }
}

function spell({ at, metric, verdict, value, note, dryRun }: Line): string {
  const said = oneLine(note ?? String(value));
  return `${at}  ${verdict.padEnd("inconclusive".length)}  ${metric}: ${said}${dryRun ? " (dry run)" : ""}\n`;
}

function addArg(text: string, before: Args): Args {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("Write a whole number from 1 to 999.");
  return Number(text);
}
