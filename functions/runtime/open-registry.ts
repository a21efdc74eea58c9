import { type AwsOptions, withArnRegion, withTimeouts } from "../adapters/aws/client.ts";
import { anonymous, type CredentialsFor, chainCredentials } from "../adapters/oci-registry/credentials.ts";
import { pullSecretCredentials } from "../adapters/oci-registry/pull-secret-credentials.ts";
import { createOciRegistry } from "../adapters/oci-registry/registry.ts";
import type { Registry } from "../ports/registry.ts";
import type { AdapterOptions } from "./open-aws.ts";
import type { DockerConfigSource } from "./settings.ts";

/**
 * Opens registries with the credentials of the settings. For each image the first match applies:
 * 1. with PAWL_ECR, for private and public ECR registries: the function's own role. A secret would have an ECR token, which
 *    expires after 12 hours;
 * 2. the workload's pull secrets, in their order, if they are passed with the request;
 * 3. the docker config.json in the secret PAWL_REGISTRY_SECRET_ARN or in the file PAWL_DOCKER_CONFIG: the longest key that is a
 *    prefix of the image;
 * 4. anonymous.
 * Throws what reading a docker config.json from a file throws. One in a secret is read when a registry requires credentials.
 */
export async function openRegistry({ settings, aws, now }: AdapterOptions): Promise<Registry> {
  const credentials = chainCredentials([
    settings.ecr ? await openRoleCredentials(aws, now) : anonymous,
    pullSecretCredentials(),
    await openDockerCredentials(settings.dockerConfig, aws, now),
  ]);
  const { insecureRegistries: insecureHosts, allowedRegistries: allowed, deniedRegistries: denied } = settings;
  return createOciRegistry({ credentials, insecureHosts, allowed, denied, now });
}

async function openDockerCredentials(source: DockerConfigSource | null, aws: AwsOptions, now: () => Date) {
  if (source === null) return anonymous;
  if (source.kind === "file") {
    const { readCredentials } = await import("../adapters/oci-registry/docker-config-credentials.ts");
    return readCredentials(source.path);
  }
  const { SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
  const { createSecretCredentials } = await import("../adapters/aws/secrets-manager/registry-credentials.ts");
  const { createSecretCache } = await import("../adapters/aws/secrets-manager/secret.ts");
  const client = new SecretsManagerClient(withTimeouts(withArnRegion(source.secretArn, aws)));
  return createSecretCredentials(createSecretCache({ client, secretArn: source.secretArn, now }), source.secretArn);
}

async function openRoleCredentials(aws: AwsOptions, now: () => Date): Promise<CredentialsFor> {
  const { createEcrCredentials } = await import("../adapters/aws/ecr/credentials.ts");
  return createEcrCredentials({ aws, now });
}
