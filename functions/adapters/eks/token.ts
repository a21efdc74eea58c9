import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsCredentialIdentity, HttpRequest } from "@smithy/types";
import { escapeUri } from "../escape-uri.ts";
import { type Perishable, secondsAfter } from "../renewed.ts";

export interface TokenRequest {
  /** The cluster's name in EKS. */
  readonly clusterName: string;
  readonly region: string;
  readonly credentials: AwsCredentialIdentity;
  readonly now: Date;
}

/** EKS takes a token for 15 minutes (aws-iam-authenticator, token.go); the last of them is for requests under way. */
const usableSeconds = 14 * 60;

/** What ends with the credentials that signed it is given up this long before. */
const marginSeconds = 60;

/**
 * The bearer token by which EKS knows an IAM principal: a presigned GET of the region's STS GetCallerIdentity with the
 * cluster's name among the signed headers. It is computed here and nobody is asked. EKS ignores the 60 seconds that AWS
 * itself would hold the URL to.
 */
export async function eksToken({ clusterName, region, credentials, now }: TokenRequest): Promise<Perishable<string>> {
  const hostname = `sts.${region}.${dnsSuffixOf(region)}`;
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
  const value = `k8s-aws-v1.${Buffer.from(urlOf(presigned)).toString("base64url")}`;
  return { value, usableUntil: usableUntil(credentials, now) };
}

function usableUntil({ expiration }: AwsCredentialIdentity, now: Date): Date {
  const whole = secondsAfter(now, usableSeconds);
  if (expiration === undefined) return whole;
  const withCredentials = secondsAfter(expiration, -marginSeconds);
  return withCredentials < whole ? withCredentials : whole;
}

/** The domain of a region's endpoints: China, the European Sovereign Cloud and the isolated partitions have their own. */
function dnsSuffixOf(region: string): string {
  if (region.startsWith("cn-")) return "amazonaws.com.cn";
  if (region.startsWith("eusc-")) return "amazonaws.eu";
  if (region.startsWith("us-iso-")) return "c2s.ic.gov";
  if (region.startsWith("us-isob-")) return "sc2s.sgov.gov";
  return "amazonaws.com";
}

function urlOf({ hostname, path, query = {} }: HttpRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => `${escapeUri(name)}=${escapeUri(String(value))}`);
  return `https://${hostname}${path}?${pairs.join("&")}`;
}
