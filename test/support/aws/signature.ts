import { createHash, createHmac } from "node:crypto";

interface Presigned {
  readonly host: string;
  readonly clusterName: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly at: string;
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns the query of a presigned GetCallerIdentity, as EKS computes it: from AWS's specification of Signature Version 4,
 * without the SDK.
 */
export function presignedQuery({ host, clusterName, region, at, ...keys }: Presigned): Record<string, string> {
  const date = at.slice(0, 8);
  const scope = `${date}/${region}/sts/aws4_request`;
  const query: Record<string, string> = {
    Action: "GetCallerIdentity",
    Version: "2011-06-15",
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${keys.accessKeyId}/${scope}`,
    "X-Amz-Date": at,
    "X-Amz-Expires": "60",
    "X-Amz-SignedHeaders": "host;x-k8s-aws-id",
    ...(keys.sessionToken === null ? {} : { "X-Amz-Security-Token": keys.sessionToken }),
  };
  const canonicalQuery = Object.entries(query)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join("&");
  const emptyHash = createHash("sha256").update("").digest("hex");
  const headers = `host:${host}\nx-k8s-aws-id:${clusterName}\n`;
  const canonical = ["GET", "/", canonicalQuery, headers, "host;x-k8s-aws-id", emptyHash].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", at, scope, hash].join("\n");
  const signingKey = [region, "sts", "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${keys.secretAccessKey}`, date));
  return { ...query, "X-Amz-Signature": hmac(signingKey, toSign).toString("hex") };
}
