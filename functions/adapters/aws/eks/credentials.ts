import { fromNodeProviderChain, fromTemporaryCredentials } from "@aws-sdk/credential-providers";
import type { AwsCredentialIdentity } from "@smithy/types";
import { type AwsOptions, withTimeouts } from "../client.ts";

/**
 * Creates a provider of the credentials of `assumeRoleArn`, or of the function's own if that is null. Each call starts a new
 * session: the caller caches what it derives from it.
 */
export function createCredentialProvider(
  assumeRoleArn: string | null,
  aws: AwsOptions,
): () => Promise<AwsCredentialIdentity> {
  const { credentials } = aws;
  const own = typeof credentials === "object" ? async () => credentials : (credentials ?? fromNodeProviderChain());
  if (assumeRoleArn === null) return own;
  const params = { RoleArn: assumeRoleArn, RoleSessionName: "pawl" };
  return fromTemporaryCredentials({ params, masterCredentials: own, clientConfig: withTimeouts(aws) });
}
