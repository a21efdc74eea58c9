import { mapAwsError } from "../map-error.ts";
import { RegistryUnauthorized } from "../../../ports/errors.ts";
import type { Credentials } from "../../oci-registry/credentials.ts";
import { type Expiring, secondsAfter } from "../../expiring-cache.ts";

/** The response of ECR and ECR Public: base64 of `AWS:` and a password, and its expiry. */
export interface AuthorizationData {
  readonly authorizationToken?: string | undefined;
  readonly expiresAt?: Date | undefined;
}

const hourSeconds = 3600;

/**
 * Parses the response of GetAuthorizationToken, whose token is valid for 12 hours. The login expires an hour earlier, or after
 * half of its remaining lifetime if that is sooner.
 */
export function parseLogin(data: AuthorizationData | undefined, operation: string, now: Date): Expiring<Credentials> {
  const [username = "", password = ""] = decodeToken(data?.authorizationToken).split(/:(.*)/s);
  if (username === "" || password === "")
    throw new RegistryUnauthorized(`${operation}: the response contains no login`);
  const remainingSeconds = ((data?.expiresAt ?? secondsAfter(now, 12 * hourSeconds)).getTime() - now.getTime()) / 1000;
  const expiresAt = secondsAfter(now, remainingSeconds - Math.min(hourSeconds, remainingSeconds / 2));
  return { value: { kind: "password", username, password }, expiresAt };
}

/** Maps an error of GetAuthorizationToken to `Throttled`, `Unreachable` or else `RegistryUnauthorized`. */
export function mapEcrError(error: unknown, operation: string): unknown {
  const mapped = mapAwsError(error, operation);
  if (!(mapped instanceof Error) || mapped.name === "Throttled" || mapped.name === "Unreachable") return mapped;
  return new RegistryUnauthorized(`${operation}: ${mapped.name}: ${mapped.message}`, { cause: mapped });
}

function decodeToken(token = ""): string {
  return Buffer.from(token, "base64").toString("utf8");
}
