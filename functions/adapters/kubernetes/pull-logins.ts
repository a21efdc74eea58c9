import type { Workload } from "../../domain/workload.ts";
import type { PullLogins } from "../../ports/registry.ts";
import type { KubernetesApi } from "./api.ts";

const dockerConfigKeys = [".dockerconfigjson", ".dockercfg"] as const;

/**
 * The logins that a workload's own pods pull with: of the Secrets that they name, otherwise of those of their service account.
 * What is not there, or holds no logins, is passed over, as the kubelet does.
 */
export async function pullLogins({ ref, pull }: Workload, api: KubernetesApi): Promise<PullLogins> {
  const { namespace } = ref;
  const names =
    pull.secrets.length > 0 ? pull.secrets : await api.getServiceAccountSecrets(namespace, pull.serviceAccount);
  const secrets = await Promise.all(names.map((name) => api.getSecret(namespace, name)));
  return secrets.flatMap((secret) => {
    const text = dockerConfigKeys.map((key) => secret?.[key]).find((value) => value !== undefined);
    return text === undefined ? [] : [text];
  });
}
