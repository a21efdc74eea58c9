import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";

/** Options of every AWS client; the SDK provides defaults. */
export interface AwsOptions {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: AwsCredentialIdentity | AwsCredentialIdentityProvider;
}

/** Adds timeouts: the SDK has none by default. */
export function withTimeouts<Options extends AwsOptions>(options: Options, requestSeconds = 15) {
  const requestHandler = {
    connectionTimeout: 3_000,
    requestTimeout: requestSeconds * 1_000,
    throwOnRequestTimeout: true,
  };
  return { ...options, requestHandler };
}

/** Returns the options for the region of an ARN; unchanged for a name. */
export function withArnRegion(arn: string, aws: AwsOptions): AwsOptions {
  const [prefix, , , region] = arn.split(":");
  return prefix === "arn" && region ? { ...aws, region } : aws;
}
