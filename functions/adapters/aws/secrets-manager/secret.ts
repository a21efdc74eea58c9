import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SecretUnreadable } from "../../../ports/errors.ts";
import { mapAwsError } from "../map-error.ts";
import { type ExpiringCache, createExpiringCache } from "../../expiring-cache.ts";

interface Options {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  readonly now: () => Date;
}

/** The delay after which a rotated secret is used, at most. */
const cacheSeconds = 5 * 60;

/** Creates a cache of a secret's text, which is read again after five minutes. `get` may throw `Throttled`, `Unreachable` or `SecretUnreadable`. */
export function createSecretCache({ client, secretArn, now }: Options): ExpiringCache<string> {
  return createExpiringCache(async () => {
    const expiresAt = secondsAfter(now(), cacheSeconds);
    return { value: await read(client, secretArn), expiresAt };
  }, now);
}

async function read(client: SecretsManagerClient, secretArn: string): Promise<string> {
  const { GetSecretValueCommand } = await import("@aws-sdk/client-secrets-manager");
  const operation = `GetSecretValue ${secretArn}`;
  const response = await client.send(new GetSecretValueCommand({ SecretId: secretArn })).catch((error: unknown) => {
    throw mapSecretError(mapAwsError(error, operation), operation);
  });
  const text = response.SecretString ?? Buffer.from(response.SecretBinary ?? []).toString("utf8");
  if (text.trim() === "") throw new SecretUnreadable(`${operation}: the secret is empty`);
  return text;
}

function mapSecretError(error: unknown, operation: string): unknown {
  if (!(error instanceof Error) || error.name === "Throttled" || error.name === "Unreachable") return error;
  return new SecretUnreadable(`${operation}: ${error.name}: ${error.message}`, { cause: error });
}
