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
  const loginsOf = await openNamespaceLogins(options);
  if (loginsOf === null) return cluster;
  return {
    ...cluster,
    async pullSecrets(workload) {
      return [...(await cluster.pullSecrets(workload)), ...(await loginsOf(workload.ref.namespace))];
    },
  };
}

/** Opens the logins that are for certain namespaces. Returns null if there are none. */
export async function openNamespaceLogins(
  options: AdapterOptions,
): Promise<((namespace: string) => Promise<readonly PullLogin[]>) | null> {
  const logins = options.settings.registryLogins.flatMap(({ namespaces, ...login }) =>
    namespaces === null ? [] : [{ ...login, namespaces }],
  );
  if (logins.length === 0) return null;
  const scoped = await Promise.all(logins.map((login) => openScoped(login, options)));
  return async (namespace) => {
    const applying = scoped.filter(({ namespaces }) => namespaces.includes(namespace));
    return Promise.all(applying.map(({ read }) => read()));
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
