import { ECRClient, GetAuthorizationTokenCommand } from "@aws-sdk/client-ecr";
import { type AwsOptions, withTimeouts } from "../aws-client.ts";
import type { Credentials } from "../oci-registry/credentials.ts";
import { type Renewed, renewed } from "../renewed.ts";
import { loginOf, refusal } from "./login.ts";

/**
 * The role's login to the private registries of a region, of its own account and of all others that let it in.
 * `get` may throw `Throttled`, `Unreachable` or `RegistryRefused`.
 */
export function privateLogin(region: string, aws: AwsOptions, now: () => Date): Renewed<Credentials> {
  const client = new ECRClient(withTimeouts({ ...aws, region }));
  const attempted = `ecr:GetAuthorizationToken in ${region}`;
  return renewed(async () => {
    const askedAt = now();
    const answer = await client.send(new GetAuthorizationTokenCommand({})).catch((error: unknown) => {
      throw refusal(error, attempted);
    });
    return loginOf(answer.authorizationData?.[0], attempted, askedAt);
  }, now);
}
