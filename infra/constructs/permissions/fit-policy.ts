import { Stack } from "aws-cdk-lib";
import { PolicyDocument, type PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { InvalidProps } from "../../config/invalid-props.ts";

/** Of all inline policies of a role, without white space. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const maxCharacters = 10_240;

/** The longest values of the references that are known at the deployment only; others are ARNs of the stack's resources. */
const references: Readonly<Record<string, string>> = {
  "AWS::Partition": "aws-us-gov",
  "AWS::Region": "ap-southeast-99",
  "AWS::AccountId": "123456789012",
};
const arnCharacters = 120;

/** The settings that a statement comes from, by its Sid. */
const settings: Readonly<Record<string, string>> = {
  Repositories: "registries.ecrAccounts or registries.ecrRepositoryPrefixes",
  RegistryLogins: "registries.logins",
  QueryWorkspaces: "clusters[].prometheus",
  MetricLogins: "clusters[].prometheus",
  QueryCloudWatch: "clusters[].cloudWatchRegions",
  Secrets: "notifications",
  Tasks: "prefix or clusters[].name",
};

/** Returns the only inline policy of a role. Throws `InvalidProps` if it is longer than IAM allows. */
export function fitPolicy(scope: Construct, of: string, statements: readonly PolicyStatement[]): PolicyDocument {
  const sizes = statements.map((statement) => ({ sid: statement.sid ?? "", size: sizeOf(scope, statement) }));
  const total = sizes.reduce((sum, { size }) => sum + size, sizeOf(scope, new PolicyDocument()));
  if (total <= maxCharacters) return new PolicyDocument({ statements: [...statements] });
  const [longest] = sizes.sort((one, other) => other.size - one.size);
  const found = `the role of ${of}: its policy has about ${total} characters, and IAM allows ${maxCharacters}`;
  const { sid, size } = longest!;
  throw new InvalidProps(
    `${found}; ${size} of them are the statement ${sid}: use fewer or shorter values of ${settings[sid] ?? "what it comes from"}`,
  );
}

function sizeOf(scope: Construct, part: PolicyDocument | PolicyStatement): number {
  const resolved = Stack.of(scope).resolve(part.toJSON()) as unknown;
  // One comma between two statements.
  return JSON.stringify(render(resolved) ?? { Statement: [], Version: "2012-10-17" }).length + 1;
}

/** Replaces references of CloudFormation by texts of their length. */
function render(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(render);
  if (typeof value !== "object" || value === null) return value;
  const [[key, of] = ["", null]] = Object.entries(value) as [string, unknown][];
  if (key === "Ref") return references[String(of)] ?? "x".repeat(arnCharacters);
  if (key === "Fn::Join") return (of as [string, unknown[]])[1].map(render).join("");
  if (key.startsWith("Fn::")) return "x".repeat(arnCharacters);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, render(one)]));
}
