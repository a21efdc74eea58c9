import type { AwsOptions } from "../adapters/aws/client.ts";
import { anonymous, type CredentialsFor, chainCredentials } from "../adapters/oci-registry/credentials/credentials.ts";
import { pullSecretCredentials } from "../adapters/oci-registry/credentials/pull-secret-credentials.ts";
import { createOciRegistry } from "../adapters/oci-registry/registry.ts";
import type { Artifacts } from "../ports/artifacts.ts";
import type { Registry } from "../ports/registry.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openSecret } from "./open-secret.ts";
import { limitToRepositories } from "./registry-logins.ts";
import type { RegistryLogin } from "./env-readers.ts";
import type { DockerConfigSource } from "./settings.ts";

/**
 * Opens registries with the credentials of the settings. For each image the first match applies:
 * 1. with PAWL_ECR, for private and public ECR registries: the function's own role. A secret would have an ECR token, which
 *    expires after 12 hours;
 * 2. the workload's pull secrets, in their order, and the logins of PAWL_REGISTRY_LOGINS for its namespace, if they are passed with the
 *    request;
 * 3. the logins of PAWL_REGISTRY_LOGINS for all namespaces, if they are for the image's repository;
 * 4. the docker config.json in the secret PAWL_REGISTRY_SECRET_ARN or in the file PAWL_DOCKER_CONFIG: the longest key that is a
 *    prefix of the image;
 * 5. anonymous.
 * Throws what reading a docker config.json from a file throws. One in a secret is read when a registry requires credentials.
 */
export async function openRegistry(options: AdapterOptions): Promise<Registry & Artifacts> {
  const { settings, aws, now } = options;
  const logins = settings.registryLogins.filter(isForAllNamespaces);
  const credentials = chainCredentials([
    settings.ecr ? await openRoleCredentials(aws, now) : anonymous,
    pullSecretCredentials(),
    ...(await Promise.all(logins.map((login) => openLogin(login, options)))),
    await openDockerCredentials(settings.dockerConfig, aws, now),
  ]);
  const { insecureRegistries: insecureHosts, allowedRegistries: allowed, deniedRegistries: denied } = settings;
  const { limits: namespaceLimits } = settings;
  const registry = createOciRegistry({ credentials, insecureHosts, allowed, denied, now, namespaceLimits });
  return settings.ecr ? { ...registry, pushTimes: await openPushTimes(aws), scanOf: await openScans(aws) } : registry;
}

async function openDockerCredentials(source: DockerConfigSource | null, aws: AwsOptions, now: () => Date) {
  if (source === null) return anonymous;
  if (source.kind === "file") {
    const { readCredentials } = await import("../adapters/oci-registry/credentials/docker-config-credentials.ts");
    return readCredentials(source.path);
  }
  return openSecretCredentials(source.secretArn, { aws, now });
}

async function openLogin(
  { secretArn, repositories }: RegistryLogin,
  options: Pick<AdapterOptions, "aws" | "now">,
): Promise<CredentialsFor> {
  return limitToRepositories(await openSecretCredentials(secretArn, options, repositories), repositories);
}

async function openSecretCredentials(
  secretArn: string,
  options: Pick<AdapterOptions, "aws" | "now">,
  repositories: readonly string[] | null = null,
) {
  const { createSecretCredentials } = await import("../adapters/aws/secrets-manager/registry-credentials.ts");
  return createSecretCredentials(await openSecret(secretArn, options), secretArn, repositories);
}

/** The others are added to the pull secrets of their namespaces, by `withNamespaceLogins`. */
function isForAllNamespaces({ namespaces }: RegistryLogin): boolean {
  return namespaces === null;
}

async function openPushTimes(aws: AwsOptions) {
  const { createEcrPushTimes } = await import("../adapters/aws/ecr/push-times.ts");
  return createEcrPushTimes(aws);
}

async function openScans(aws: AwsOptions) {
  const { createEcrScans } = await import("../adapters/aws/ecr/scan-findings.ts");
  return createEcrScans(aws);
}

async function openRoleCredentials(aws: AwsOptions, now: () => Date): Promise<CredentialsFor> {
  const { createEcrCredentials } = await import("../adapters/aws/ecr/credentials.ts");
  return createEcrCredentials({ aws, now });
}
