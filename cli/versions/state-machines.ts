import type { SFNClient } from "@aws-sdk/client-sfn";
import { nullOn } from "../doctor/check.ts";
import { type DeployedVersion, unusedVersions } from "./unused.ts";

export interface MachineVersions {
  readonly unused: readonly DeployedVersion[];
  /** The ARNs of the versions of functions that the other versions invoke. */
  readonly invoked: readonly string[];
}

interface Options {
  readonly keep: number;
  readonly now: Date;
}

/** Reads the versions of a state machine, and what those in use invoke. */
export async function readMachineVersions(sfn: SFNClient, arn: string, options: Options): Promise<MachineVersions> {
  const versions = await listVersions(sfn, arn);
  const unused: DeployedVersion[] = [];
  for (const version of unusedVersions(versions, { ...options, used: await routedVersions(sfn, arn) }))
    if (!(await isRunning(sfn, version.arn))) unused.push(version);
  const kept = versions.filter((version) => !unused.includes(version));
  const invoked = new Set<string>();
  for (const { arn: version } of kept) for (const one of await invokedBy(sfn, version)) invoked.add(one);
  // Executions of a machine without an alias have no version.
  for (const one of await invokedBy(sfn, arn)) invoked.add(one);
  return { unused, invoked: [...invoked] };
}

async function listVersions(sfn: SFNClient, stateMachineArn: string): Promise<readonly DeployedVersion[]> {
  const { ListStateMachineVersionsCommand } = await import("@aws-sdk/client-sfn");
  const versions: DeployedVersion[] = [];
  let nextToken: string | undefined;
  do {
    const page = await sfn.send(new ListStateMachineVersionsCommand({ stateMachineArn, nextToken, maxResults: 1000 }));
    for (const { stateMachineVersionArn: arn, creationDate: createdAt } of page.stateMachineVersions ?? [])
      if (arn !== undefined && createdAt !== undefined) versions.push({ arn, createdAt });
    ({ nextToken } = page);
  } while (nextToken !== undefined);
  return versions;
}

/** Returns the versions to which the alias sends executions: also an older one, if somebody rolled back. */
async function routedVersions(sfn: SFNClient, machineArn: string): Promise<ReadonlySet<string>> {
  const { DescribeStateMachineAliasCommand } = await import("@aws-sdk/client-sfn");
  const command = new DescribeStateMachineAliasCommand({ stateMachineAliasArn: `${machineArn}:live` });
  const alias = await nullOn(["ResourceNotFound"], sfn.send(command));
  return new Set((alias?.routingConfiguration ?? []).map(({ stateMachineVersionArn = "" }) => stateMachineVersionArn));
}

/** https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListExecutions.html takes the ARN of a version too. */
async function isRunning(sfn: SFNClient, versionArn: string): Promise<boolean> {
  const { ListExecutionsCommand } = await import("@aws-sdk/client-sfn");
  const running = { stateMachineArn: versionArn, statusFilter: "RUNNING", maxResults: 1 } as const;
  const { executions = [] } = await sfn.send(new ListExecutionsCommand(running));
  return executions.length > 0;
}

/** Returns the ARNs of versions of functions in a definition. */
async function invokedBy(sfn: SFNClient, stateMachineArn: string): Promise<readonly string[]> {
  const { DescribeStateMachineCommand } = await import("@aws-sdk/client-sfn");
  const { definition = "" } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  return definition.match(/arn:[a-z-]+:lambda:[a-z0-9-]+:[0-9]+:function:[\w-]+:[0-9]+/g) ?? [];
}
