import { ECRPUBLICClient, GetAuthorizationTokenCommand } from "@aws-sdk/client-ecr-public";
import { type AwsOptions, withTimeouts } from "../client.ts";
import type { Credentials } from "../../oci-registry/credentials.ts";
import type { Expiring } from "../../expiring-cache.ts";
import { parseLogin, mapEcrError } from "./login.ts";

/** The only region of the ECR Public API. */
const region = "us-east-1";

/** Fetches the role's login to public.ecr.aws. Throws `Throttled`, `Unreachable` or `RegistryUnauthorized`. */
export async function fetchPublicLogin(aws: AwsOptions, now: Date): Promise<Expiring<Credentials>> {
  const client = new ECRPUBLICClient(withTimeouts({ ...aws, region }));
  const operation = "ecr-public:GetAuthorizationToken";
  const response = await client
    .send(new GetAuthorizationTokenCommand({}))
    .catch((error: unknown) => {
      throw mapEcrError(error, operation);
    })
    .finally(() => client.destroy());
  return parseLogin(response.authorizationData, operation, now);
}
