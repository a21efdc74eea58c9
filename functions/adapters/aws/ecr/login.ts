import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import { type AwsOptions, withTimeouts } from "../client.ts";
import { mapAwsError } from "../map-error.ts";
import { RegistryUnauthorized } from "../../../ports/errors.ts";
import type { Credentials } from "../../oci-registry/credentials/credentials.ts";
import { type Expiring } from "../../expiring-cache.ts";

/** The response of ECR and ECR Public: base64 of `AWS:` and a password, and its expiry. */
interface AuthorizationData {
  readonly authorizationToken?: string | undefined;
  readonly expiresAt?: Date | undefined;
}

const hourSeconds = 3600;

/** The only region of the ECR Public API. */
const publicRegion = "us-east-1";

/**
 * Fetches the role's login to the private registries of a region, in all accounts that allow the role. Throws `Throttled`,
 * `Unreachable` or `RegistryUnauthorized`.
 */
export async function fetchPrivateLogin(region: string, aws: AwsOptions, now: Date): Promise<Expiring<Credentials>> {
  const { ECRClient, GetAuthorizationTokenCommand } = await import("@aws-sdk/client-ecr");
  const client = new ECRClient(withTimeouts({ ...aws, region }));
  const operation = `ecr:GetAuthorizationToken in ${region}`;
  const response = await client
    .send(new GetAuthorizationTokenCommand({}))
    .catch((error: unknown) => {
      throw mapEcrError(error, operation);
    })
    .finally(() => client.destroy());
  return parseLogin(response.authorizationData?.[0], operation, now);
}

/** Fetches the role's login to public.ecr.aws. Throws the same. */
export async function fetchPublicLogin(aws: AwsOptions, now: Date): Promise<Expiring<Credentials>> {
  const { ECRPUBLICClient, GetAuthorizationTokenCommand } = await import("@aws-sdk/client-ecr-public");
  const client = new ECRPUBLICClient(withTimeouts({ ...aws, region: publicRegion }));
  const operation = "ecr-public:GetAuthorizationToken";
  const response = await client
    .send(new GetAuthorizationTokenCommand({}))
    .catch((error: unknown) => {
      throw mapEcrError(error, operation);
    })
    .finally(() => client.destroy());
  return parseLogin(response.authorizationData, operation, now);
}

/**
 * Parses the response of GetAuthorizationToken, whose token is valid for 12 hours. The login expires an hour earlier, or after
 * half of its remaining lifetime if that is sooner.
 */
function parseLogin(data: AuthorizationData | undefined, operation: string, now: Date): Expiring<Credentials> {
  const [username = "", password = ""] = decodeToken(data?.authorizationToken).split(/:(.*)/s);
  if (username === "" || password === "")
    throw new RegistryUnauthorized(`${operation}: the response contains no login`);
  const remainingSeconds = ((data?.expiresAt ?? secondsAfter(now, 12 * hourSeconds)).getTime() - now.getTime()) / 1000;
  const expiresAt = secondsAfter(now, remainingSeconds - Math.min(hourSeconds, remainingSeconds / 2));
  return { value: { kind: "password", username, password }, expiresAt };
}

/** Maps an error of GetAuthorizationToken to `Throttled`, `Unreachable` or else `RegistryUnauthorized`. */
function mapEcrError(error: unknown, operation: string): unknown {
  const mapped = mapAwsError(error, operation);
  if (!(mapped instanceof Error) || mapped.name === "Throttled" || mapped.name === "Unreachable") return mapped;
  return new RegistryUnauthorized(`${operation}: ${mapped.name}: ${mapped.message}`, { cause: mapped });
}

function decodeToken(token = ""): string {
  return Buffer.from(token, "base64").toString("utf8");
}
