import type { CredentialsFor } from "../adapters/oci-registry/credentials/credentials.ts";
import { isInScope } from "../domain/image/repository-pattern.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { PullLogin } from "../ports/registry.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openSecret } from "./open-secret.ts";
import type { RegistryLogin } from "./env-readers.ts";

/** Limits credentials to some repositories; null limits nothing. */
export function limitToRepositories(find: CredentialsFor, repositories: readonly string[] | null): CredentialsFor {
  return async (image, logins) => (isInScope(repositories, image) ? find(image, logins) : null);
}

/**
 * Adds the logins of the deployment that are for certain namespaces to the pull secrets of their workloads. As with pull secrets, an
 * answer that is obtained with one is never used for a workload without it.
 */
export async function withNamespaceLogins(cluster: Cluster, options: AdapterOptions): Promise<Cluster> {
  const logins = options.settings.registryLogins.flatMap(({ namespaces, ...login }) =>
    namespaces === null ? [] : [{ ...login, namespaces }],
  );
  if (logins.length === 0) return cluster;
  const scoped = await Promise.all(logins.map((login) => openScoped(login, options)));
  return {
    ...cluster,
    async pullSecrets(workload) {
      const applying = scoped.filter(({ namespaces }) => namespaces.includes(workload.ref.namespace));
      return [...(await cluster.pullSecrets(workload)), ...(await Promise.all(applying.map(({ read }) => read())))];
    },
  };
}

async function openScoped(
  { secretArn, namespaces, repositories }: RegistryLogin & { readonly namespaces: readonly string[] },
  options: AdapterOptions,
) {
  const secret = await openSecret(secretArn, options);
  const read = async (): Promise<PullLogin> => ({ source: secretArn, config: await secret.get(), repositories });
  return { namespaces, read };
}
