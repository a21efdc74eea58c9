import { type AwsOptions, inRegionOf, withTimeouts } from "../adapters/aws-client.ts";
import { anonymous, type CredentialsFor, firstOf } from "../adapters/oci-registry/credentials.ts";
import { pullSecretCredentials } from "../adapters/oci-registry/pull-secret-credentials.ts";
import { ociRegistry } from "../adapters/oci-registry/registry.ts";
import type { Registry } from "../ports/registry.ts";
import type { DockerConfigSource, Settings } from "../settings.ts";

interface Opening {
  readonly settings: Settings;
  readonly aws: AwsOptions;
  readonly now: () => Date;
}

/**
 * Registries with the logins that the settings lead to. For an image, the first that has one holds:
 * 1. with PAWL_ECR, a registry of ECR, private or public: the function's own role (`ecrCredentials`). What a secret could
 *    have of ECR lives for 12 hours;
 * 2. the pull secrets of the workload that asks, in their order, where they are handed over with the question;
 * 3. the docker config.json in the secret PAWL_REGISTRY_SECRET_ARN or in the file PAWL_DOCKER_CONFIG, of which there is
 *    one at most: its longest key that the image lies under;
 * 4. anonymous.
 * Throws what reading a docker config.json from a file throws; one in a secret is read when a registry wants a login.
 */
export async function openRegistry({ settings, aws, now }: Opening): Promise<Registry> {
  const credentials = firstOf([
    settings.ecr ? await roleCredentials(aws, now) : anonymous,
    pullSecretCredentials(),
    await dockerCredentials(settings.dockerConfig, aws, now),
  ]);
  return ociRegistry({ credentials, insecureHosts: settings.insecureRegistries, now });
}

async function dockerCredentials(source: DockerConfigSource | null, aws: AwsOptions, now: () => Date) {
  if (source === null) return anonymous;
  if (source.kind === "file") {
    const { readCredentials } = await import("../adapters/oci-registry/read-credentials.ts");
    return readCredentials(source.path);
  }
  const { SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
  const { secretCredentials } = await import("../adapters/secrets/registry-credentials.ts");
  const { secretText } = await import("../adapters/secrets/secret.ts");
  const client = new SecretsManagerClient(withTimeouts(inRegionOf(source.secretArn, aws)));
  return secretCredentials(secretText({ client, secretArn: source.secretArn, now }), source.secretArn);
}

async function roleCredentials(aws: AwsOptions, now: () => Date): Promise<CredentialsFor> {
  const { ecrCredentials } = await import("../adapters/ecr/credentials.ts");
  return ecrCredentials({ aws, now });
}
