import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { RegistriesConfig } from "../../config/schema.ts";
import { readSecretStatement } from "./cluster.ts";

/**
 * Returns the statements to list tags and read digests in ECR, in all regions of the accounts, and in ECR Public, and to
 * read the secret with the logins of other registries.
 */
export function readRegistriesStatements({ secretArn, ecrAccounts }: RegistriesConfig): readonly PolicyStatement[] {
  const tokens = ["ecr:GetAuthorizationToken", "ecr-public:GetAuthorizationToken", "sts:GetServiceBearerToken"];
  return [
    new PolicyStatement({ sid: "RegistryTokens", actions: tokens, resources: ["*"] }),
    new PolicyStatement({
      sid: "Repositories",
      actions: ["ecr:BatchGetImage", "ecr:ListImages"],
      resources: accountsOrOwn(ecrAccounts).map((account) => repositoriesArn(account)),
    }),
    ...(secretArn === null ? [] : [readSecretStatement("RegistryLogins", secretArn)]),
  ];
}

function accountsOrOwn(ecrAccounts: readonly string[]): readonly string[] {
  return ecrAccounts.length === 0 ? [Aws.ACCOUNT_ID] : ecrAccounts;
}

function repositoriesArn(account: string): string {
  return `arn:${Aws.PARTITION}:ecr:*:${account}:repository/*`;
}

/** Returns the acknowledgements of the wildcards above for cdk-nag. */
export function repositoryWildcards(ecrAccounts: readonly string[]): readonly { id: string; reason: string }[] {
  const reason = "The repositories of the workloads are not known before deployment; the access is read-only.";
  return accountsOrOwn(ecrAccounts).map((account) => {
    const accountId = account === Aws.ACCOUNT_ID ? "<AWS::AccountId>" : account;
    return { id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecr:*:${accountId}:repository/*]`, reason };
  });
}
