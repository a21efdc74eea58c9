import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import type { AwsCredentialIdentity } from "@smithy/types";
import { type Expiring } from "../../expiring-cache.ts";
import { dnsSuffix } from "../dns-suffix.ts";
import { presign } from "./presign.ts";

export interface TokenRequest {
  /** The cluster's name in EKS. */
  readonly clusterName: string;
  readonly region: string;
  readonly credentials: AwsCredentialIdentity;
  readonly now: Date;
}

/** EKS accepts a token for 15 minutes (aws-iam-authenticator, token.go); the last one is left for requests in flight. */
const lifetimeSeconds = 14 * 60;

/** How long before its credentials a token expires. */
const marginSeconds = 60;

/**
 * Creates the bearer token that identifies an IAM principal to EKS: a presigned GET of the region's STS GetCallerIdentity with the
 * cluster's name as a signed header. It is computed locally. EKS ignores the URL's own expiry of 60 seconds.
 */
export function createEksToken({ clusterName, region, credentials, now }: TokenRequest): Expiring<string> {
  const url = presign({
    host: `sts.${region}.${dnsSuffix(region)}`,
    query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
    headers: { "x-k8s-aws-id": clusterName },
    service: "sts",
    region,
    credentials,
    expiresSeconds: 60,
    now,
  });
  return { value: `k8s-aws-v1.${Buffer.from(url).toString("base64url")}`, expiresAt: tokenExpiry(credentials, now) };
}

function tokenExpiry({ expiration }: AwsCredentialIdentity, now: Date): Date {
  const fullLifetime = secondsAfter(now, lifetimeSeconds);
  if (expiration === undefined) return fullLifetime;
  const beforeCredentials = secondsAfter(expiration, -marginSeconds);
  return beforeCredentials < fullLifetime ? beforeCredentials : fullLifetime;
}
