import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { InvalidInput } from "../exit-codes.ts";
import { addItems } from "../input/parse.ts";
import { type Ask, type InitFlags, readAnswers } from "../init/answers.ts";
import { describeEks } from "../init/eks-address.ts";
import { alreadyThere, buildConfig, type DescribedCluster, writeConfig } from "../init/write-config.ts";
import { pagePath, partPath } from "../doctor/manifests.ts";
import { printJson, printStdout } from "../output/print.ts";

type Flags = InitFlags & { readonly file: string; readonly force?: true; readonly json?: true };

export function createCommand(): Command {
  return new Command("init")
    .description(
      "Writes the configuration that `cdk deploy` reads, for one cluster or several of EKS. Asks on a terminal for what the options do not say. " +
        "With AWS credentials it reads the address of an EKS cluster from EKS. Changes nothing else.",
    )
    .option(
      "--eks <cluster>",
      "name of the cluster in EKS, or its ARN to deploy in its account and region; may be repeated",
      addItems,
    )
    .option("--region <region>", "region of the clusters that are not named by ARN (default: AWS_REGION)")
    .option("--kubeconfig-secret <arn>", "secret in Secrets Manager with the kubeconfig of any other cluster")
    .option("--context <name>", "context of that kubeconfig (default: its current context)")
    .option("--name <name>", "name of the cluster in Pawl (default: its name in EKS)")
    .option("-n, --namespace <namespace>", "update only workloads of this namespace; may be repeated", addItems)
    .option("--schedule <expression>", 'when to poll (default: "rate(5 minutes)")')
    .option("--email <address>", "notify this address of alarms; may be repeated", addItems)
    .option("--file <path>", "the file to write", "pawl.json")
    .option("--force", "replace the file if it exists")
    .option("--json", "print one JSON document: the file, and what is missing")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl init --eks production --region eu-central-1\n  pawl init --eks staging --eks production\n  pawl init --kubeconfig-secret ARN",
    )
    .action(runInit);
}

async function runInit(flags: Flags): Promise<void> {
  const { file, json } = flags;
  const terminal = process.stdin.isTTY && process.stdout.isTTY && json === undefined;
  const reader = terminal ? createInterface({ input: process.stdin, output: process.stdout }) : null;
  try {
    const ask: Ask | null = reader === null ? null : async (question, byDefault) => askOn(reader, question, byDefault);
    const replaces = flags.force === true || (existsSync(file) && (await mayReplace(file, ask)));
    const answers = await readAnswers(flags, ask);
    const clusters: DescribedCluster[] = [];
    for (const one of answers.clusters) {
      const { connection } = one;
      clusters.push({ ...one, described: connection.kind === "eks" ? await describeEks(connection) : null });
    }
    await writeConfig(file, buildConfig(clusters, answers.emails, flags), replaces);
    const missing = listMissing(clusters);
    if (json) printJson({ file, missing });
    else printStdout(`${[`Wrote ${file}.`, ...missing, ...nextSteps(file, clusters)].join("\n")}\n`);
  } finally {
    reader?.close();
  }
}

async function mayReplace(file: string, ask: Ask | null): Promise<boolean> {
  if (ask !== null && /^y(es)?$/i.test(await ask(`${file} exists. Replace it? (yes/no)`, "no"))) return true;
  throw new InvalidInput(alreadyThere(file));
}

type Reader = ReturnType<typeof createInterface>;

async function askOn(reader: Reader, question: string, byDefault: string): Promise<string> {
  const answer = await reader.question(byDefault === "" ? `${question}: ` : `${question} [${byDefault}]: `);
  return answer.trim() || byDefault;
}

/** Returns what the user has to do before the next steps, in sentences. */
function listMissing(clusters: readonly DescribedCluster[]): readonly string[] {
  const app = existsSync("cdk.json") ? [] : [missingApp()];
  const inClusters = clusters.flatMap((one) =>
    missingInCluster(one, clusters.length > 1).map((sentence) =>
      clusters.length > 1 ? `${one.name}: ${sentence}` : sentence,
    ),
  );
  return [...app, ...inClusters];
}

function missingApp(): string {
  return `This folder has no cdk.json: write a CDK app that deploys the configuration, as in ${pagePath("how-to/deployment.md")}, or work in a clone of Pawl.`;
}

function missingInCluster({ connection, described }: DescribedCluster, isOneOfSeveral: boolean): readonly string[] {
  if (connection.kind === "kubeconfig" || described === null)
    return [`Its user must be a member of the groups of Pawl: see ${pagePath("reference/permissions.md")}.`];
  if (described.kind === "described")
    return described.missing.map((one) => one.replace("NAME", connection.clusterName));
  const { clusterName, region } = connection;
  // Another run would write the addresses only that its own credentials can read.
  const help = isOneOfSeveral
    ? `with its credentials, add what this prints: aws eks describe-cluster --name ${clusterName} --region ${region}`
    : "with credentials, run this command again with --force";
  return [
    `Missing: endpoint and certificateAuthority (${described.reason}). The functions read them from EKS instead, which needs a route to EKS; ${help}.`,
  ];
}

/** The commands that follow; docs/tutorial/getting-started.md explains them. */
function nextSteps(file: string, clusters: readonly DescribedCluster[]): readonly string[] {
  const option = file === "pawl.json" ? "" : ` -c pawl=${file}`;
  const ofFile = file === "pawl.json" ? "" : ` --file ${file}`;
  const connections = clusters.flatMap(({ connection }) => (connection.kind === "eks" ? [connection] : []));
  // The stack of a cluster that is named by ARN has its own region.
  const inShell = connections.filter(({ account }) => account === null);
  const regions = new Set((inShell.length > 0 ? inShell : connections).map(({ region }) => region));
  const commands = [
    ...(regions.size === 1 ? [`export AWS_REGION=${[...regions].join("")}`] : []),
    `npx cdk deploy --all${option}`,
    ...clusters.flatMap(({ name, connection }) => [
      ...(connection.kind === "eks"
        ? [`aws eks update-kubeconfig --name ${connection.clusterName} --region ${connection.region}`]
        : []),
      `kubectl apply -k ${partPath(".")}`,
      `npx --no-install pawl doctor --cluster ${name}${ofFile}`,
    ]),
  ];
  return ["", "Next:", ...commands.map((command) => `  ${command}`)];
}
