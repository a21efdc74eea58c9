import { ECRClient, GetAuthorizationTokenCommand } from "@aws-sdk/client-ecr";
import { type AwsOptions, withTimeouts } from "../client.ts";
import type { Credentials } from "../../oci-registry/credentials.ts";
import type { Expiring } from "../../expiring-cache.ts";
import { parseLogin, mapEcrError } from "./login.ts";

/**
 * Fetches the role's login to the private registries of a region, in all accounts that allow the role. Throws `Throttled`,
 * `Unreachable` or `RegistryUnauthorized`.
 */
export async function fetchPrivateLogin(region: string, aws: AwsOptions, now: Date): Promise<Expiring<Credentials>> {
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
