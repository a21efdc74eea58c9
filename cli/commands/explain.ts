import { Command } from "commander";
import { connectCluster } from "../connect/cluster.ts";
import { connectRegistry } from "../connect/registry.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { type DigestOptions, withDigestOptions } from "../options/digest.ts";
import { type DeploymentOptions, notConsidered, withDeploymentOption } from "../options/deployment.ts";
import { formatOf, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { printAs } from "../output/document.ts";
import { explanationText, poolExplanationText } from "../output/explanation.ts";
import { connectNodePools } from "../connect/node-pools.ts";
import { explainPool } from "../node-pools/explain.ts";
import { joinKind } from "../workloads/name.ts";
import { formatPoolName, parsePoolName } from "../node-pools/name.ts";
import { pauseTargetArgument } from "./pause.ts";
import { describeLastPoll } from "../workloads/last-poll.ts";
import { explainWorkload } from "../workloads/explain.ts";
import { findWorkload } from "../workloads/find.ts";
import { readOrThrow } from "../workloads/read.ts";

const now = () => new Date();

type Options = DeploymentOptions & ClusterOptions & RegistryOptions & DigestOptions & OutputOptions;

export function createCommand(): Command {
  const command = new Command("explain").description(
    "Prints why a workload runs what it runs, and what the next poll does: its policy and where it is written, the decision of the next poll, " +
      "each tag with the reason why it is passed over, and the last attempts with theirs. Of a node pool: its settings, the " +
      "next poll, and the next step of each node. It asks the registry.",
  );
  const connected = withDeploymentOption(withDigestOptions(withRegistryOptions(withClusterOptions(command))));
  return withOutputOptions(
    connected.argument("<what...>", pauseTargetArgument),
    "the explanation, or a list of several",
  )
    .addHelpText(
      "after",
      "\nExamples:\n  pawl explain shop/web\n  pawl explain deployment web cart -n shop\n  pawl explain bootcnodepool/workers",
    )
    .action(printExplanations);
}

async function printExplanations(words: readonly string[], options: Options): Promise<void> {
  const explained: Explained[] = [];
  for (const name of joinKind(words)) {
    const pool = parsePoolName(name);
    explained.push(pool === null ? await explainNamed(name, options) : await explainNamedPool(pool, options));
  }
  const [only, ...others] = explained;
  await printAs(formatOf(options), {
    document: others.length === 0 ? only?.document : explained.map(({ document }) => document),
    names: explained.map(({ name }) => name),
    table: () => explained.map(({ text }) => text).join("\n"),
  });
}

interface Explained {
  readonly name: string;
  readonly document: object;
  readonly text: string;
}

async function explainNamed(name: string, options: Options): Promise<Explained> {
  const opened = await connectCluster(options);
  const registry = await connectRegistry(options);
  const workload = await readOrThrow(opened.cluster, await findWorkload(opened, name, { inAnyNamespace: true }));
  const explained = await explainWorkload({ ...opened, registry, now }, workload);
  const lastPoll = await describeLastPoll(opened, now());
  const document = { ...explained, lastPoll, notConsidered: notConsidered(options) };
  return { name: document.status.workload, document, text: explanationText(document, process.stdout) };
}

async function explainNamedPool(name: string, options: Options): Promise<Explained> {
  const ports = { nodePools: await connectNodePools(options), registry: await connectRegistry(options), now };
  const document = await explainPool(ports, name);
  return { name: formatPoolName(document.status), document, text: poolExplanationText(document, process.stdout) };
}
