import { fromNodeProviderChain, fromTemporaryCredentials } from "@aws-sdk/credential-providers";
import type { AwsCredentialIdentity } from "@smithy/types";
import { type AwsOptions, withTimeouts } from "../aws-client.ts";

/**
 * Credentials of `assumeRoleArn`, or the function's own where that is null. A new session of the role is begun at each
 * call: its caller keeps what it makes of them.
 */
export function credentialsOf(assumeRoleArn: string | null, aws: AwsOptions): () => Promise<AwsCredentialIdentity> {
  const { credentials } = aws;
  const own = typeof credentials === "object" ? async () => credentials : (credentials ?? fromNodeProviderChain());
  if (assumeRoleArn === null) return own;
  const params = { RoleArn: assumeRoleArn, RoleSessionName: "pawl" };
  return fromTemporaryCredentials({ params, masterCredentials: own, clientConfig: withTimeouts(aws) });
}
