import { parseEcrHost } from "../../../domain/image/ecr-host.ts";
import type { AwsOptions } from "../client.ts";
import type { Credentials, CredentialsFor } from "../../oci-registry/credentials/credentials.ts";
import { createKeyedExpiringCache } from "../../expiring-cache.ts";
import { fetchPrivateLogin, fetchPublicLogin } from "./login.ts";

interface Options {
  readonly aws: AwsOptions;
  readonly now: () => Date;
}

const publicHost = "public.ecr.aws";

/** More than AWS has regions. */
const maxLogins = 100;

/**
 * Creates credentials from the function's role: for private ECR registries (`<account>.dkr.ecr.<region>.amazonaws.com`, in
 * any account) by ecr:GetAuthorizationToken in their region, for `public.ecr.aws` by ecr-public:GetAuthorizationToken.
 */
export function createEcrCredentials({ aws, now }: Options): CredentialsFor {
  const logins = createKeyedExpiringCache<Credentials>(maxLogins, now);
  return async (image) => {
    const { registry } = image;
    const host = parseEcrHost(registry);
    if (host !== null) return logins.get(host.region, () => fetchPrivateLogin(host.region, aws, now()));
    return registry === publicHost ? logins.get(publicHost, () => fetchPublicLogin(aws, now())) : null;
  };
}
