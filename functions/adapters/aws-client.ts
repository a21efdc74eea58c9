import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";

/** What every AWS client is told; the SDK finds by itself what is left out. */
export interface AwsOptions {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: AwsCredentialIdentity | AwsCredentialIdentityProvider;
}

/** The SDK alone would wait for ever for an answer that does not come. */
export function withTimeouts<Options extends AwsOptions>(options: Options, requestSeconds = 15) {
  const requestHandler = {
    connectionTimeout: 3_000,
    requestTimeout: requestSeconds * 1_000,
    throwOnRequestTimeout: true,
  };
  return { ...options, requestHandler };
}

/** The options for the region that an ARN lies in; a name that is no ARN lies where the caller is. */
export function inRegionOf(arn: string, aws: AwsOptions): AwsOptions {
  const [prefix, , , region] = arn.split(":");
  return prefix === "arn" && region ? { ...aws, region } : aws;
}
