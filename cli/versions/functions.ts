import type { LambdaClient } from "@aws-sdk/client-lambda";
import { nullOn } from "../doctor/check.ts";
import { type DeployedVersion, unusedVersions } from "./unused.ts";

/** Returns the published versions of a function; none if it does not exist. */
export async function listFunctionVersions(lambda: LambdaClient, name: string): Promise<readonly DeployedVersion[]> {
  const { ListVersionsByFunctionCommand } = await import("@aws-sdk/client-lambda");
  const versions: DeployedVersion[] = [];
  let Marker: string | undefined;
  do {
    const command = new ListVersionsByFunctionCommand({ FunctionName: name, Marker });
    const page = await nullOn(["ResourceNotFoundException"], lambda.send(command));
    for (const { Version, FunctionArn: arn, LastModified = "" } of page?.Versions ?? [])
      if (Version !== "$LATEST" && arn !== undefined) versions.push({ arn, createdAt: new Date(LastModified) });
    Marker = page?.NextMarker;
  } while (Marker !== undefined);
  return versions;
}

/** Returns the versions of a function that neither the alias nor `invoked` names. */
export async function unusedFunctionVersions(
  lambda: LambdaClient,
  versions: readonly DeployedVersion[],
  options: { readonly invoked: ReadonlySet<string>; readonly keep: number; readonly now: Date },
): Promise<readonly DeployedVersion[]> {
  const { invoked, ...rest } = options;
  const [base] = versions.map(({ arn }) => arn.replace(/:[0-9]+$/, ""));
  if (base === undefined) return [];
  const { GetAliasCommand } = await import("@aws-sdk/client-lambda");
  const command = new GetAliasCommand({ FunctionName: base, Name: "live" });
  const alias = await nullOn(["ResourceNotFoundException"], lambda.send(command));
  const weights = Object.keys(alias?.RoutingConfig?.AdditionalVersionWeights ?? {});
  const live = [alias?.FunctionVersion, ...weights].map((version) => `${base}:${version}`);
  return unusedVersions(versions, { ...rest, used: new Set([...invoked, ...live]) });
}

/** Deletes a version, and never the function: its ARN must end with a number. */
export async function deleteFunctionVersion(lambda: LambdaClient, arn: string): Promise<void> {
  const [, FunctionName, Qualifier] = /^(.+):([0-9]+)$/.exec(arn) ?? [];
  if (Qualifier === undefined) throw new TypeError(`${arn}: is not the ARN of a version`);
  const { DeleteFunctionCommand } = await import("@aws-sdk/client-lambda");
  await lambda.send(new DeleteFunctionCommand({ FunctionName, Qualifier }));
}
