import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { RegistriesConfig } from "../../config/schema.ts";
import { readSecretStatement } from "./cluster.ts";

/**
 * Returns the statements to list tags, and read digests and the times of pushes in ECR, in all regions of the accounts, and in ECR Public, and to
 * read the secret with the logins of other registries. A function that polls reads the findings of scans too.
 */
export function readRegistriesStatements(
  { secretArn, logins, ...repositories }: RegistriesConfig,
  polls: boolean,
): readonly PolicyStatement[] {
  const tokens = ["ecr:GetAuthorizationToken", "ecr-public:GetAuthorizationToken"];
  return [
    new PolicyStatement({ sid: "RegistryTokens", actions: tokens, resources: ["*"] }),
    new PolicyStatement({
      sid: "PublicRegistryTokens",
      actions: ["sts:GetServiceBearerToken"],
      resources: ["*"],
      conditions: { StringEquals: { "sts:AWSServiceName": "ecr-public.amazonaws.com" } },
    }),
    new PolicyStatement({
      sid: "Repositories",
      actions: [
        "ecr:BatchGetImage",
        "ecr:DescribeImages",
        ...(polls ? ["ecr:DescribeImageScanFindings"] : []),
        "ecr:ListImages",
      ],
      resources: readableRepositories(repositories).map(({ account, pattern }) => repositoriesArn(account, pattern)),
    }),
    ...readSecretsStatements(secretArn === null ? [] : [secretArn], logins),
  ];
}

/** Returns the statement to read signatures in ECR: what is stored beside images and, if a rule asks for it, whether ECR has signed them. */
export function readSignaturesStatements(repositories: Repositories, asksEcr: boolean): readonly PolicyStatement[] {
  const resources = readableRepositories(repositories).map(({ account, pattern }) => repositoriesArn(account, pattern));
  const status = asksEcr ? ["ecr:DescribeImageSigningStatus"] : [];
  return [new PolicyStatement({ sid: "Signatures", actions: ["ecr:GetDownloadUrlForLayer", ...status], resources })];
}

function readSecretsStatements(own: readonly string[], logins: RegistriesConfig["logins"]): readonly PolicyStatement[] {
  const arns = new Set([...own, ...logins.map(({ secretArn }) => secretArn)]);
  return arns.size === 0 ? [] : [readSecretStatement("RegistryLogins", ...arns)];
}

type Repositories = Pick<RegistriesConfig, "ecrAccounts" | "ecrRepositoryPrefixes">;

function readableRepositories({ ecrAccounts, ecrRepositoryPrefixes }: Repositories) {
  const accounts = ecrAccounts.length === 0 ? [Aws.ACCOUNT_ID] : ecrAccounts;
  const patterns = ecrRepositoryPrefixes.length === 0 ? ["*"] : ecrRepositoryPrefixes.map((prefix) => `${prefix}*`);
  return accounts.flatMap((account) => patterns.map((pattern) => ({ account, pattern })));
}

function repositoriesArn(account: string, pattern: string): string {
  return `arn:${Aws.PARTITION}:ecr:*:${account}:repository/${pattern}`;
}

/** Returns the acknowledgements of the wildcards above for cdk-nag. */
export function repositoryWildcards(repositories: Repositories): readonly { id: string; reason: string }[] {
  const reason = "The repositories of the workloads are not known before deployment; the access is read-only.";
  return readableRepositories(repositories).map(({ account, pattern }) => {
    const accountId = account === Aws.ACCOUNT_ID ? "<AWS::AccountId>" : account;
    return { id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ecr:*:${accountId}:repository/${pattern}]`, reason };
  });
}
