import { parseEcrHost } from "../../../domain/image/ecr-host.ts";
import type { ManagedSigning } from "../../../ports/managed-signing.ts";
import { type AwsOptions, withTimeouts } from "../client.ts";
import { mapAwsError } from "../map-error.ts";

/** Another try has the same answer. */
const answers = new Set([
  "AccessDeniedException",
  "ImageNotFoundException",
  "RepositoryNotFoundException",
  "ValidationException",
]);

/** Creates the method that asks private ECR registries whether they have signed an image, by ecr:DescribeImageSigningStatus with the function's role. */
export function createManagedSigning(aws: AwsOptions): ManagedSigning {
  return async ({ registry, repository }, digest) => {
    const host = parseEcrHost(registry);
    if (host === null) return `${registry} is no private registry of ECR`;
    const { DescribeImageSigningStatusCommand, ECRClient } = await import("@aws-sdk/client-ecr");
    const client = new ECRClient(withTimeouts({ ...aws, region: host.region }));
    const imageId = { imageDigest: digest };
    const command = new DescribeImageSigningStatusCommand({
      registryId: host.account,
      repositoryName: repository,
      imageId,
    });
    try {
      const { signingStatuses = [] } = await client.send(command);
      return signingStatuses.flatMap(({ signingProfileArn: profile, status, failureCode, failureReason }) =>
        profile === undefined || status === undefined
          ? []
          : [{ profile, status, reason: [failureCode, failureReason].filter(Boolean).join(": ") }],
      );
    } catch (error) {
      if (error instanceof Error && answers.has(error.name)) return `ECR: ${error.message}`;
      throw mapAwsError(error, `ecr:DescribeImageSigningStatus of ${registry}/${repository}`);
    } finally {
      client.destroy();
    }
  };
}
