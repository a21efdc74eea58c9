import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { RegistriesConfig } from "../../config-shape.ts";
import { readingSecret } from "./cluster.ts";

/**
 * Listing tags and asking for digests over ECR's Docker API, in every region of the accounts named, and in ECR Public;
 * and the secret with the logins of other registries.
 */
export function readingRegistries({ secretArn, ecrAccounts }: RegistriesConfig): readonly PolicyStatement[] {
  const tokens = ["ecr:GetAuthorizationToken", "ecr-public:GetAuthorizationToken", "sts:GetServiceBearerToken"];
  return [
    new PolicyStatement({ sid: "RegistryTokens", actions: tokens, resources: ["*"] }),
    new PolicyStatement({
      sid: "Repositories",
      actions: ["ecr:BatchGetImage", "ecr:ListImages"],
      resources: accountsOf(ecrAccounts).map((account) => repositoriesOf(account)),
    }),
    ...(secretArn === null ? [] : [readingSecret("RegistryLogins", secretArn)]),
  ];
}

function accountsOf(ecrAccounts: readonly string[]): readonly string[] {
  return ecrAccounts.length === 0 ? [Aws.ACCOUNT_ID] : ecrAccounts;
}

function repositoriesOf(account: string): string {
  return `arn:${Aws.PARTITION}:ecr:*:${account}:repository/*`;
}

/** What is said to the auditor about the wildcards above. */
export function repositoryWildcards(ecrAccounts: readonly string[]): readonly { id: string; reason: string }[] {
  const reason =
    "Which repositories the workloads of a cluster use is not known before they are deployed; it may only read them.";
  return accountsOf(ecrAccounts).map((account) => {
    const named = account === Aws.ACCOUNT_ID ? "<AWS::AccountId>" : account;
    return { id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecr:*:${named}:repository/*]`, reason };
  });
}
