import { noVerifier } from "../../functions/ports/verifier.ts";
import { Command } from "commander";
import { planCluster } from "../../functions/workflows/poll/plan-cluster.ts";
import type { WorkloadResult } from "../../functions/workflows/poll/process-workload.ts";
import { summarizeGates } from "../../functions/domain/gates/describe-gate.ts";
import { parseRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { createGateReader } from "../workloads/closed-gates.ts";
import { readCheckout } from "../input/read-checkout.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { printAs } from "../output/document.ts";
import { printStderr } from "../output/print.ts";
import { countStates } from "../output/state-cell.ts";
import { sortByState } from "../output/state-words.ts";
import { type PlannedPool, planPools } from "../node-pools/plan.ts";
import { type ClusterOptions, withClusterOptions, withSelectorOption } from "../options/cluster.ts";
import { describeEmpty } from "../connect/missing-namespaces.ts";
import { connectCluster } from "../connect/cluster.ts";
import { type DeploymentOptions, notConsidered, readConfigFile, withDeploymentOption } from "../options/deployment.ts";
import { type DigestOptions, withDigestOptions } from "../options/digest.ts";
import { type NodePoolOptions, includesNodePools, withNodePoolOptions } from "../options/node-pool.ts";
import { formatOf, isTable, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { connectNodePools, selectedPools } from "../connect/node-pools.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { connectRegistry } from "../connect/registry.ts";
import { drainTable, plannedNodesTable, planTable } from "../output/plan-tables.ts";
import { describeSkipped, namespaceHint } from "../output/describe-skipped.ts";
import { createFilePlanner, type PlannedFiles } from "../workloads/plan-files.ts";
import { type PlannedWorkload, planWorkload } from "../workloads/plan.ts";
import { noneSelected } from "../workloads/select.ts";

interface Options
  extends DeploymentOptions, ClusterOptions, RegistryOptions, DigestOptions, NodePoolOptions, OutputOptions {
  readonly at?: string;
  readonly checkout?: string;
}

/** Which addresses are allowed is known to the deployment only. */
const metricProvider = () => Promise.resolve(null);

export function createCommand(): Command {
  const command = new Command("plan").description(
    "Polls once, as the schedule does, without changing anything. Prints what runs on each workload with Pawl enabled, the next " +
      "version, and what would be done and why; what needs a person first, what is up to date last. A workload whose registry fails is an error. For each node pool, whose tag is " +
      "resolved if that is due, it prints the same, and the next step of each node that will change, with the pods that its drain loses. Node pools are " +
      "cluster-wide: with --namespace they are excluded unless --node-pools is set. The exit code is 1 if a row is Stalled, or was not evaluated because of an error.",
  );
  const connected = withSelectorOption(withClusterOptions(command), "workloads and node pools");
  const polled = withDeploymentOption(withNodePoolOptions(withDigestOptions(withRegistryOptions(connected))));
  return withOutputOptions(polled, "a list of workloads and node pools")
    .option("--at <time>", "evaluate all gates at this time, such as 2026-12-24T20:00Z, with what exists now")
    .option(
      "--checkout <folder>",
      "a clone of the repository that names images: prints what updates with writeTo git would write to its files, as a unified diff",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  pawl plan --context staging -n shop\n  pawl plan -n shop --node-pools\n  pawl plan --at 2026-12-24T20:00Z",
    )
    .action(printPlan);
}

async function printPlan(options: Options): Promise<void> {
  const at = parseAt(options.at);
  const checkout = readFiles(options);
  const { cluster } = await connectCluster({ ...options, ...(at === null ? {} : { evaluatedAt: at }) });
  const registry = await connectRegistry(options);
  const includesPools = includesNodePools(options);
  const skipped: Error[] = [];
  const now = () => at ?? new Date();
  const evaluated = planCluster({ cluster, registry, verifier: noVerifier, now, metricProvider }, (error) =>
    skipped.push(error),
  );
  const workloads = await evaluated.catch((error: unknown) => {
    throw namespaceHint(error);
  });
  describeSkipped(skipped).forEach(printStderr);
  const selected = includesPools ? await selectedPools(options) : null;
  const allPools = includesPools
    ? await planPools({ nodePools: await connectNodePools(options), registry, now }, printStderr)
    : [];
  const pools = allPools.filter(({ name }) => selected === null || selected.has(name));
  const readGates = createGateReader(cluster);
  const planFiles = checkout === null ? null : createFilePlanner(checkout, now());
  // One after the other: the files have what the updates before have written.
  const files = new Map(workloads.map((result) => [result, planFiles?.(result) ?? null]));
  const planOne = async (result: WorkloadResult) => {
    const gates = "decision" in result ? await readGates(result.workload, result.decision, now()) : [];
    const waitsFor = summarizeGates(gates, result.workload.policy, now()) || null;
    return { ...planWorkload(result, now()), gates, waitsFor, ...(planFiles && { files: files.get(result) ?? null }) };
  };
  const planned = [...(await Promise.all(workloads.map(planOne))), ...pools];
  if (planned.length === 0 && formatOf(options) === "table")
    printStderr(await describeEmpty(options, `${noneSelected(options)}${includesPools ? ", and no node pools" : ""}`));
  await printAs(formatOf(options), {
    document: planned,
    names: planned.map(({ workload }) => workload),
    table: () =>
      planTable(sortByState(planned), process.stdout) + renderNodes(pools) + renderFiles(planned) + footer(options),
  });
  if (planned.length > 0 && isTable(formatOf(options))) printStderr(countStates(planned, "evaluated"));
  if (planned.some(({ state, reason }) => state === "Stalled" || failures.has(reason)))
    process.exitCode = exitCodes.noMatch;
}

function parseAt(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = parseRfc3339(text.replace(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?=Z|[+-])/, "$1:00"));
  if (time === null) throw new InvalidInput(`--at ${text}: must be a time such as 2026-12-24T20:00Z`);
  return time;
}

/** What was not evaluated because of an error. */
const failures: ReadonlySet<string> = new Set(["EvaluationFailed", "TagNotResolved"]);

function footer(options: Options): string {
  const unknown = notConsidered(options);
  return unknown === null ? "" : `\nNot considered: ${unknown}\n`;
}

/** Reads the files of the repository that Pawl may write, as the configuration says; null if there is no checkout. */
function readFiles({ checkout, config }: Options): ReadonlyMap<string, string> | null {
  if (checkout === undefined) return null;
  const paths = config === undefined ? [] : readConfigFile(config).git.flatMap((one) => one.paths);
  return readCheckout(checkout, paths.length === 0 ? ["*"] : paths);
}

function renderFiles(
  planned: readonly (PlannedPool | (PlannedWorkload & { readonly files?: PlannedFiles | null }))[],
): string {
  const texts = planned.flatMap((one) => {
    if (!("files" in one) || !one.files) return [];
    const { diff, reason } = one.files;
    return [reason === null ? diff : `${one.workload}: nothing would be committed: ${reason}\n`];
  });
  return texts.map((text) => `\n${text}`).join("");
}

function renderNodes(pools: readonly PlannedPool[]): string {
  const { stdout } = process;
  const tables = pools.some(({ nodes }) => nodes.length > 0)
    ? [plannedNodesTable(pools, stdout), drainTable(pools, stdout)]
    : [];
  return tables.map((table) => (table === "" ? "" : `\n${table}`)).join("");
}
