import type { CredentialsFor } from "../../oci-registry/credentials/credentials.ts";
import { dockerConfigCredentials } from "../../oci-registry/credentials/docker-config-credentials.ts";
import { RegistryUnauthorized } from "../../../ports/errors.ts";
import type { ExpiringCache } from "../../expiring-cache.ts";
import { SecretUnreadable } from "../../../ports/errors.ts";

/**
 * Creates credentials from a docker config.json in a secret; `source` names it in messages. Throws `RegistryUnauthorized` if the secret
 * is not readable, `DockerConfigInvalid` if it is invalid, and the errors of reading it.
 */
export function createSecretCredentials(
  secret: ExpiringCache<string>,
  source: string,
  repositories: readonly string[] | null = null,
): CredentialsFor {
  let parsed: { readonly text: string; readonly credentials: CredentialsFor } | null = null;
  return async (image) => {
    const text = await secret.get().catch((error: unknown) => {
      throw error instanceof SecretUnreadable ? new RegistryUnauthorized(error.message, { cause: error }) : error;
    });
    if (parsed?.text !== text) parsed = { text, credentials: dockerConfigCredentials(text, source, repositories) };
    return parsed.credentials(image);
  };
}
