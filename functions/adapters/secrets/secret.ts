import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { awsFailure } from "../aws-failure.ts";
import { type Renewed, renewed, secondsAfter } from "../renewed.ts";

/** The secret is not there, may not be read by this function, or is empty. Says which, and never what stands in it. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

interface Options {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  readonly now: () => Date;
}

/** A secret that is rotated serves under its new value after this long at the latest. */
const keptSeconds = 5 * 60;

/** The text of a secret, read again every five minutes. `get` may throw `Throttled`, `Unreachable` or `SecretUnreadable`. */
export function secretText({ client, secretArn, now }: Options): Renewed<string> {
  return renewed(async () => {
    const usableUntil = secondsAfter(now(), keptSeconds);
    return { value: await read(client, secretArn), usableUntil };
  }, now);
}

async function read(client: SecretsManagerClient, secretArn: string): Promise<string> {
  const { GetSecretValueCommand } = await import("@aws-sdk/client-secrets-manager");
  const attempted = `GetSecretValue ${secretArn}`;
  const answer = await client.send(new GetSecretValueCommand({ SecretId: secretArn })).catch((error: unknown) => {
    throw unreadable(awsFailure(error, attempted), attempted);
  });
  const text = answer.SecretString ?? Buffer.from(answer.SecretBinary ?? []).toString("utf8");
  if (text.trim() === "") throw new SecretUnreadable(`${attempted}: the secret is empty`);
  return text;
}

function unreadable(failure: unknown, attempted: string): unknown {
  if (!(failure instanceof Error) || failure.name === "Throttled" || failure.name === "Unreachable") return failure;
  return new SecretUnreadable(`${attempted}: ${failure.name}: ${failure.message}`, { cause: failure });
}
