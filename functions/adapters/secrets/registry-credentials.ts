import type { CredentialsFor } from "../oci-registry/credentials.ts";
import { dockerConfigCredentials } from "../oci-registry/docker-config.ts";
import { RegistryRefused } from "../errors.ts";
import type { Renewed } from "../renewed.ts";
import { SecretUnreadable } from "./secret.ts";

/**
 * The logins of a docker config.json that is kept in a secret; `source` names it in messages. Throws `RegistryRefused`
 * where the secret cannot be read and `DockerConfigInvalid` where it is none, besides what reading it throws.
 */
export function secretCredentials(secret: Renewed<string>, source: string): CredentialsFor {
  let parsed: { readonly text: string; readonly credentials: CredentialsFor } | null = null;
  return async (image) => {
    const text = await secret.get().catch((error: unknown) => {
      throw error instanceof SecretUnreadable ? new RegistryRefused(error.message, { cause: error }) : error;
    });
    if (parsed?.text !== text) parsed = { text, credentials: dockerConfigCredentials(text, source) };
    return parsed.credentials(image);
  };
}
