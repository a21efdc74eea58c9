import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { SFNClient } from "@aws-sdk/client-sfn";
import { Command } from "commander";
import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import { type DoctorTarget, functionName, readTarget, type TargetFlags, withTargetOptions } from "../doctor/target.ts";
import { InvalidInput } from "../exit-codes.ts";
import { printJson, printStdout } from "../output/print.ts";
import { deleteFunctionVersion, listFunctionVersions, unusedFunctionVersions } from "../versions/functions.ts";
import { readMachineVersions } from "../versions/state-machines.ts";

interface Flags extends TargetFlags {
  readonly keep: number;
  readonly dryRun?: boolean;
  readonly json?: true;
}

interface Clients {
  readonly lambda: LambdaClient;
  readonly sfn: SFNClient;
}

const defaultKeep = 10;

export function createCommand(): Command {
  const command = new Command("prune-versions").description(
    "Deletes the versions of a cluster's functions and state machines that earlier deployments left and nothing uses: no alias, no running " +
      "execution, no version that is kept. A version that was replaced less than eight days ago is kept too.",
  );
  return withTargetOptions(command)
    .option("--keep <count>", "how many of the newest versions remain, at least 2", parseKeep, defaultKeep)
    .option("--dry-run", "only print what would be deleted")
    .option("--json", "print one JSON document: the deleted versions")
    .addHelpText("after", "\nExamples:\n  pawl prune-versions --dry-run\n  pawl prune-versions --cluster edge --keep 5")
    .action(runPruneVersions);
}

function parseKeep(text: string): number {
  if (/^[0-9]{1,4}$/.test(text) && Number(text) >= 2) return Number(text);
  throw new InvalidInput(`--keep: "${text}" is not a whole number from 2 to 9999`);
}

async function runPruneVersions({ keep, dryRun = false, json, ...flags }: Flags): Promise<void> {
  const target = readTarget(flags);
  const clients = await openClients(target.region);
  const { machines, functions } = await findUnused(clients, target, keep);
  if (!dryRun) await deleteVersions(clients, machines, functions);
  const versions = [...machines, ...functions];
  if (json) return printJson({ versions, deleted: !dryRun });
  const done = dryRun ? "Would delete" : "Deleted";
  printStdout(`${[...versions, `${done} ${versions.length} versions.`].join("\n")}\n`);
}

async function openClients(region: string): Promise<Clients> {
  const { LambdaClient: Lambda } = await import("@aws-sdk/client-lambda");
  const { SFNClient: Sfn } = await import("@aws-sdk/client-sfn");
  return { lambda: new Lambda(withTimeouts({ region })), sfn: new Sfn(withTimeouts({ region })) };
}

/** Returns ARNs of versions. Those of machines first: what they invoke must outlive them. */
async function findUnused({ lambda, sfn }: Clients, target: DoctorTarget, keep: number) {
  const now = new Date();
  const byFunction = [];
  for (const handler of target.handlers)
    byFunction.push(await listFunctionVersions(lambda, functionName(target, handler)));
  const [known] = byFunction.flat();
  if (known === undefined)
    throw new InvalidInput(
      `cluster ${target.cluster.name}: has no functions in ${target.region}; check the region and the credentials`,
    );
  const machines: string[] = [];
  const invoked = new Set<string>();
  for (const machine of machinesOf(target)) {
    const read = await readMachineVersions(sfn, toMachineArn(known.arn, target, machine), { keep, now });
    machines.push(...read.unused.map(({ arn }) => arn));
    for (const one of read.invoked) invoked.add(one);
  }
  const functions: string[] = [];
  for (const versions of byFunction) {
    const unused = await unusedFunctionVersions(lambda, versions, { invoked, keep, now });
    functions.push(...unused.map(({ arn }) => arn));
  }
  return { machines, functions };
}

function machinesOf({ cluster }: DoctorTarget): readonly string[] {
  return ["workload-update", "poll-fanout", ...(cluster.nodePools === null ? [] : ["node-pool-rollout"])];
}

/** Returns the ARN of a machine in the partition, region and account of a function. */
function toMachineArn(functionArn: string, { cluster }: DoctorTarget, machine: string): string {
  const [, partition, , region, account] = functionArn.split(":");
  return `arn:${partition}:states:${region}:${account}:stateMachine:${cluster.prefix}-${cluster.name}-${machine}`;
}

async function deleteVersions(
  { lambda, sfn }: Clients,
  machines: readonly string[],
  functions: readonly string[],
): Promise<void> {
  const { DeleteStateMachineVersionCommand } = await import("@aws-sdk/client-sfn");
  for (const stateMachineVersionArn of machines)
    await sfn.send(new DeleteStateMachineVersionCommand({ stateMachineVersionArn }));
  for (const arn of functions) await deleteFunctionVersion(lambda, arn);
}
