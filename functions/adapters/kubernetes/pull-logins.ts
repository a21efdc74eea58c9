import type { Workload } from "../../domain/workload.ts";
import type { PullLogins } from "../../ports/registry.ts";
import type { KubernetesApi } from "./api.ts";
import { isRefusal } from "./errors.ts";

const dockerConfigKeys = [".dockerconfigjson", ".dockercfg"] as const;

/**
 * The logins that a workload's own pods pull with: of the Secrets that they name, otherwise of those of their service account.
 * What is not there, or holds no logins, is passed over, as the kubelet does; so is what may not be read, because the right to
 * is given namespace by namespace, and elsewhere the deployment's own logins hold.
 */
export async function pullLogins({ ref, pull }: Workload, api: KubernetesApi): Promise<PullLogins> {
  const { namespace } = ref;
  const names =
    pull.secrets.length > 0
      ? pull.secrets
      : await whereAllowed(() => api.getServiceAccountSecrets(namespace, pull.serviceAccount), []);
  const secrets = await Promise.all(names.map((name) => whereAllowed(() => api.getSecret(namespace, name), null)));
  return secrets.flatMap((secret) => (secret === null ? [] : loginsIn(secret)));
}

/** The docker config.json that a Secret holds; none where it holds something else. */
export function loginsIn(secret: Readonly<Record<string, string>>): PullLogins {
  return dockerConfigKeys.flatMap((key) => secret[key] ?? []).slice(0, 1);
}

async function whereAllowed<Read>(read: () => Promise<Read>, otherwise: Read): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error)) return otherwise;
    throw error;
  }
}
