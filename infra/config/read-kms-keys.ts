import { execFileSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import type { PawlConfigInput } from "./schema.ts";

/** Returns the public key of a key of KMS: SPKI in DER, as base64. */
type GetPublicKey = (kmsKeyArn: string) => string;

/**
 * Adds the public keys of the keys of KMS that the rules of signatures name, so that no function needs a right on them. Throws what
 * `getPublicKey` throws.
 */
export function readKmsKeys(config: PawlConfigInput, getPublicKey: GetPublicKey = getByCli): PawlConfigInput {
  return config.verify === undefined ? config : { ...config, verify: withKeys(config.verify, getPublicKey) };
}

function withKeys<Value>(value: Value, getPublicKey: GetPublicKey): Value {
  if (Array.isArray(value)) return value.map((one: unknown) => withKeys(one, getPublicKey)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { kmsKeyArn, publicKey } = value as { readonly kmsKeyArn?: unknown; readonly publicKey?: unknown };
  if (typeof kmsKeyArn === "string" && typeof publicKey !== "string")
    return { ...value, publicKey: toPem(getPublicKey(kmsKeyArn)) };
  const entries = Object.entries(value).map(([name, one]) => [name, withKeys<unknown>(one, getPublicKey)] as const);
  return Object.fromEntries(entries) as Value;
}

/** Runs the AWS CLI, with the credentials of the deployment. */
function getByCli(kmsKeyArn: string): string {
  const region = kmsKeyArn.split(":")[3] ?? "";
  const options = ["--key-id", kmsKeyArn, "--region", region, "--query", "PublicKey", "--output", "text"];
  return execFileSync("aws", ["kms", "get-public-key", ...options], { encoding: "utf8" }).trim();
}

function toPem(base64: string): string {
  const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
  return key.export({ format: "pem", type: "spki" }).toString();
}
