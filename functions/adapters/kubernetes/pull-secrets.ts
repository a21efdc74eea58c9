import type { Workload } from "../../domain/workload/workload.ts";
import type { PullLogins } from "../../ports/registry.ts";
import type { KubernetesApi } from "./api.ts";
import { isForbidden } from "./errors.ts";

const dockerConfigKeys = [".dockerconfigjson", ".dockercfg"] as const;

/**
 * Reads the registry credentials of a workload's pods: from the Secrets that they reference, or else from those of their service
 * account. Ignores missing Secrets and Secrets without credentials, as the kubelet does. Also ignores Secrets that Pawl must not
 * read: the permission is granted per namespace, and Pawl's own credentials apply elsewhere.
 */
export async function readPullSecrets({ ref, pull }: Workload, api: KubernetesApi): Promise<PullLogins> {
  const { namespace } = ref;
  const names =
    pull.secrets.length > 0
      ? pull.secrets
      : await defaultIfForbidden(() => api.getServiceAccountSecrets(namespace, pull.serviceAccount), []);
  const secrets = await Promise.all(
    names.map((name) => defaultIfForbidden(() => api.getSecret(namespace, name), null)),
  );
  return secrets.flatMap((secret) => (secret === null ? [] : dockerConfigsIn(secret)));
}

/** Returns the docker config.json of a Secret; none if it has another type. */
export function dockerConfigsIn(secret: Readonly<Record<string, string>>): PullLogins {
  return dockerConfigKeys.flatMap((key) => secret[key] ?? []).slice(0, 1);
}

async function defaultIfForbidden<Read>(read: () => Promise<Read>, fallback: Read): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (isForbidden(error)) return fallback;
    throw error;
  }
}
