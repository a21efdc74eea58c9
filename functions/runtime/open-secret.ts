import { withArnRegion, withTimeouts } from "../adapters/aws/client.ts";
import type { ExpiringCache } from "../adapters/expiring-cache.ts";
import type { AdapterOptions } from "./open-aws.ts";

/** Opens a secret of Secrets Manager. It is read when it is needed, and cached. */
export async function openSecret(
  secretArn: string,
  { aws, now }: Pick<AdapterOptions, "aws" | "now">,
): Promise<ExpiringCache<string>> {
  const { SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
  const { createSecretCache } = await import("../adapters/aws/secrets-manager/secret.ts");
  const client = new SecretsManagerClient(withTimeouts(withArnRegion(secretArn, aws)));
  return createSecretCache({ client, secretArn, now });
}
