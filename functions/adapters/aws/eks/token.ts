import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsCredentialIdentity, HttpRequest } from "@smithy/types";
import { escapeUri } from "../../escape-uri.ts";
import { type Expiring, secondsAfter } from "../../expiring-cache.ts";

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
export async function createEksToken({
  clusterName,
  region,
  credentials,
  now,
}: TokenRequest): Promise<Expiring<string>> {
  const hostname = `sts.${region}.${dnsSuffix(region)}`;
  const signer = new SignatureV4({ service: "sts", region, credentials, sha256: Sha256 });
  const request = {
    method: "GET",
    protocol: "https:",
    hostname,
    path: "/",
    query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
    headers: { host: hostname, "x-k8s-aws-id": clusterName },
  };
  const presigned = await signer.presign(request, { expiresIn: 60, signingDate: now });
  const value = `k8s-aws-v1.${Buffer.from(formatUrl(presigned)).toString("base64url")}`;
  return { value, expiresAt: tokenExpiry(credentials, now) };
}

function tokenExpiry({ expiration }: AwsCredentialIdentity, now: Date): Date {
  const fullLifetime = secondsAfter(now, lifetimeSeconds);
  if (expiration === undefined) return fullLifetime;
  const beforeCredentials = secondsAfter(expiration, -marginSeconds);
  return beforeCredentials < fullLifetime ? beforeCredentials : fullLifetime;
}

/** Returns the domain of a region's endpoints: China, the European Sovereign Cloud and isolated partitions differ. */
function dnsSuffix(region: string): string {
  if (region.startsWith("cn-")) return "amazonaws.com.cn";
  if (region.startsWith("eusc-")) return "amazonaws.eu";
  if (region.startsWith("us-iso-")) return "c2s.ic.gov";
  if (region.startsWith("us-isob-")) return "sc2s.sgov.gov";
  return "amazonaws.com";
}

function formatUrl({ hostname, path, query = {} }: HttpRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => `${escapeUri(name)}=${escapeUri(String(value))}`);
  return `https://${hostname}${path}?${pairs.join("&")}`;
}
