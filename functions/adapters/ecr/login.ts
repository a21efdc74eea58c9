import { awsFailure } from "../aws-failure.ts";
import { RegistryRefused } from "../errors.ts";
import type { Credentials } from "../oci-registry/credentials.ts";
import { type Perishable, secondsAfter } from "../renewed.ts";

/** What both ECR and ECR Public give: base64 of `AWS:` and a password, and its end. */
export interface AuthorizationData {
  readonly authorizationToken?: string | undefined;
  readonly expiresAt?: Date | undefined;
}

const hour = 3600;

/**
 * A login from the answer of GetAuthorizationToken, whose token lives 12 hours. It is given up after 11, or after half of
 * what is left where that is little.
 */
export function loginOf(data: AuthorizationData | undefined, attempted: string, now: Date): Perishable<Credentials> {
  const [username = "", password = ""] = decoded(data?.authorizationToken).split(/:(.*)/s);
  if (username === "" || password === "") throw new RegistryRefused(`${attempted}: the answer holds no login`);
  const leftSeconds = ((data?.expiresAt ?? secondsAfter(now, 12 * hour)).getTime() - now.getTime()) / 1000;
  const usableUntil = secondsAfter(now, leftSeconds - Math.min(hour, leftSeconds / 2));
  return { value: { kind: "password", username, password }, usableUntil };
}

/** What a failed GetAuthorizationToken is called: `Throttled`, `Unreachable`, and `RegistryRefused` for all else. */
export function refusal(error: unknown, attempted: string): unknown {
  const failure = awsFailure(error, attempted);
  if (!(failure instanceof Error) || failure.name === "Throttled" || failure.name === "Unreachable") return failure;
  return new RegistryRefused(`${attempted}: ${failure.name}: ${failure.message}`, { cause: failure });
}

function decoded(token = ""): string {
  return Buffer.from(token, "base64").toString("utf8");
}
