import { createHash, createHmac } from "node:crypto";
import type { AwsCredentialIdentity } from "@smithy/types";
import { escapeUri } from "../../escape-uri.ts";

export interface PresignedGet {
  readonly host: string;
  readonly query: Readonly<Record<string, string>>;
  /** Signed beside `host`; by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly region: string;
  readonly credentials: AwsCredentialIdentity;
  readonly expiresSeconds: number;
  readonly now: Date;
}

/**
 * Returns the URL of a GET of `/` that carries its signature (AWS Signature Version 4). The SDK's signer would do, but loads most of the
 * SDK's core, which takes a tenth of a cold start.
 */
export function presign({
  host,
  query,
  headers,
  service,
  region,
  credentials,
  expiresSeconds,
  now,
}: PresignedGet): string {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const date = time.slice(0, 8);
  const scope = [date, region, service, "aws4_request"];
  const signed = toSortedEntries({ ...headers, host });
  const signedNames = signed.map(([name]) => name).join(";");
  const parameters = toQuery({
    ...query,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": [accessKeyId, ...scope].join("/"),
    "X-Amz-Date": time,
    "X-Amz-Expires": String(expiresSeconds),
    "X-Amz-SignedHeaders": signedNames,
    ...(sessionToken === undefined ? {} : { "X-Amz-Security-Token": sessionToken }),
  });
  const canonicalHeaders = signed.map(([name, value]) => `${name}:${value}\n`).join("");
  const request = ["GET", "/", parameters, canonicalHeaders, signedNames, sha256("")].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(request)].join("\n");
  const key = scope.reduce<string | Buffer>(
    (previous, part) => hmac(previous, part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return `https://${host}/?${parameters}&X-Amz-Signature=${hmac(key, text).digest("hex")}`;
}

function toQuery(parameters: Readonly<Record<string, string>>): string {
  return toSortedEntries(parameters)
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .join("&");
}

function toSortedEntries(record: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string) {
  return createHmac("sha256", key).update(text);
}
