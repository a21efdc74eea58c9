import { ECRPUBLICClient, GetAuthorizationTokenCommand } from "@aws-sdk/client-ecr-public";
import { type AwsOptions, withTimeouts } from "../aws-client.ts";
import type { Credentials } from "../oci-registry/credentials.ts";
import { type Renewed, renewed } from "../renewed.ts";
import { loginOf, refusal } from "./login.ts";

/** ECR Public has its API in one region, whatever region the caller is in. */
const region = "us-east-1";

/** The role's login to public.ecr.aws. `get` may throw `Throttled`, `Unreachable` or `RegistryRefused`. */
export function publicLogin(aws: AwsOptions, now: () => Date): Renewed<Credentials> {
  const client = new ECRPUBLICClient(withTimeouts({ ...aws, region }));
  const attempted = "ecr-public:GetAuthorizationToken";
  return renewed(async () => {
    const askedAt = now();
    const answer = await client.send(new GetAuthorizationTokenCommand({})).catch((error: unknown) => {
      throw refusal(error, attempted);
    });
    return loginOf(answer.authorizationData, attempted, askedAt);
  }, now);
}
