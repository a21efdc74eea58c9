import { parseEcrHost } from "../../../domain/image/ecr-host.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { PushTimes, Registry } from "../../../ports/registry.ts";
import { type AwsOptions, withTimeouts } from "../client.ts";
import { mapAwsError } from "../map-error.ts";

const maxTags = 100;

/** Without them a version is as old as it is known to Pawl. A tag may be deleted since it was listed. */
const withoutAnswer = new Set(["AccessDeniedException", "ImageNotFoundException", "RepositoryNotFoundException"]);

/**
 * Creates the method that asks private ECR registries when they received an image, by ecr:DescribeImages with the function's role. Throws
 * `Throttled` and `Unreachable`.
 */
export function createEcrPushTimes(aws: AwsOptions): NonNullable<Registry["pushTimes"]> {
  return async ({ registry, repository }, tags) => {
    const host = parseEcrHost(registry);
    if (host === null || tags.length === 0) return new Map();
    const { DescribeImagesCommand, ECRClient } = await import("@aws-sdk/client-ecr");
    const client = new ECRClient(withTimeouts({ ...aws, region: host.region }));
    const imageIds = tags.slice(0, maxTags).map((imageTag) => ({ imageTag }));
    const command = new DescribeImagesCommand({ registryId: host.account, repositoryName: repository, imageIds });
    try {
      const { imageDetails = [] } = await client.send(command);
      return toPushTimes(imageDetails);
    } catch (error) {
      if (error instanceof Error && withoutAnswer.has(error.name)) return new Map();
      throw mapAwsError(error, `ecr:DescribeImages of ${registry}/${repository}`);
    } finally {
      client.destroy();
    }
  };
}

interface ImageDetail {
  readonly imageDigest?: string | undefined;
  readonly imageTags?: readonly string[] | undefined;
  readonly imagePushedAt?: Date | undefined;
}

function toPushTimes(details: readonly ImageDetail[]): PushTimes {
  const entries = details.flatMap(({ imageDigest: digest, imageTags = [], imagePushedAt: pushedAt }) =>
    digest === undefined || pushedAt === undefined
      ? []
      : imageTags.map((tag) => [tag, { digest, at: formatRfc3339(pushedAt) }] as const),
  );
  return new Map(entries);
}
