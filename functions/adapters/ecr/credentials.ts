import { parseEcrHost } from "../../domain/ecr-host.ts";
import type { AwsOptions } from "../aws-client.ts";
import type { Credentials, CredentialsFor } from "../oci-registry/credentials.ts";
import type { Renewed } from "../renewed.ts";

interface Options {
  readonly aws: AwsOptions;
  readonly now: () => Date;
}

const publicHost = "public.ecr.aws";

/**
 * The function's own role logs in to the private registries of ECR (`<account>.dkr.ecr.<region>.amazonaws.com` and its
 * like, of whatever account) by ecr:GetAuthorizationToken in their region, and to `public.ecr.aws` by
 * ecr-public:GetAuthorizationToken. It has no login to anything else.
 */
export function ecrCredentials({ aws, now }: Options): CredentialsFor {
  const logins = new Map<string, Promise<Renewed<Credentials>>>();

  async function loginFor(place: string, open: () => Promise<Renewed<Credentials>>): Promise<Credentials> {
    const login = logins.get(place) ?? open();
    logins.set(place, login);
    return (await login).get();
  }

  return async (image) => {
    const { registry } = image;
    const host = parseEcrHost(registry);
    if (host !== null) return loginFor(host.region, () => openPrivate(host.region, aws, now));
    return registry === publicHost ? loginFor(publicHost, () => openPublic(aws, now)) : null;
  };
}

async function openPrivate(region: string, aws: AwsOptions, now: () => Date): Promise<Renewed<Credentials>> {
  const { privateLogin } = await import("./private-login.ts");
  return privateLogin(region, aws, now);
}

async function openPublic(aws: AwsOptions, now: () => Date): Promise<Renewed<Credentials>> {
  const { publicLogin } = await import("./public-login.ts");
  return publicLogin(aws, now);
}
