import type { AwsCredentialIdentity } from "@smithy/types";
import { type AwsOptions, withTimeouts } from "../client.ts";

type CredentialProvider = () => Promise<AwsCredentialIdentity>;

/**
 * Creates a provider of the credentials of `assumeRoleArn`, or of the function's own if that is null. Each call starts a new
 * session: the caller caches what it derives from it.
 */
export function createCredentialProvider(
  assumeRoleArn: string | null,
  aws: AwsOptions,
  externalId: string | null = null,
): CredentialProvider {
  const { credentials } = aws;
  const own = typeof credentials === "object" ? async () => credentials : (credentials ?? ownProvider());
  if (assumeRoleArn === null) return own;
  return openOnce(async () => {
    const { fromTemporaryCredentials } = await import("@aws-sdk/credential-providers");
    const id = externalId === null ? {} : { ExternalId: externalId };
    const params = { RoleArn: assumeRoleArn, RoleSessionName: "pawl", ...id };
    return fromTemporaryCredentials({ params, masterCredentials: own, clientConfig: withTimeouts(aws) });
  });
}

/** Lambda passes credentials in the environment. The SDK, which knows many other sources, loads only if they are needed. */
function ownProvider(): CredentialProvider {
  const fromEnvironment = readCredentials(process.env);
  if (fromEnvironment !== null) return async () => fromEnvironment;
  return openOnce(async () => (await import("@aws-sdk/credential-providers")).fromNodeProviderChain());
}

/** Returns null if the SDK would use another source. */
function readCredentials(environment: Readonly<Record<string, string | undefined>>): AwsCredentialIdentity | null {
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = environment["AWS_SESSION_TOKEN"];
  const expiration = environment["AWS_CREDENTIAL_EXPIRATION"];
  if (!accessKeyId || !secretAccessKey || environment["AWS_PROFILE"]) return null;
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    ...(expiration ? { expiration: new Date(expiration) } : {}),
  };
}

/** Opens a provider at the first call. */
function openOnce(open: () => Promise<CredentialProvider>): CredentialProvider {
  let opening: Promise<CredentialProvider> | null = null;
  return async () => (await (opening ??= open()))();
}
