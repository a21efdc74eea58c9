import { createHash } from "node:crypto";
import type { CoreV1Api } from "@kubernetes/client-node";
import type { PullSecretRef } from "../../../domain/node-pool/pool/node-pool.ts";
import type { PullSecret } from "../../../ports/node-pools.ts";
import { isForbidden } from "../errors.ts";
import { dockerConfigsIn } from "../pull-secrets.ts";
import { decodeSecretData, type RequestOptions, nullIfNotFound } from "../requests.ts";

/**
 * Reads a pull secret and hashes its type and data. A secret that Pawl must not read is a problem of the pool, not a
 * failure.
 */
export async function readPullSecret(
  ref: PullSecretRef,
  core: CoreV1Api,
  options: RequestOptions,
): Promise<PullSecret> {
  const { namespace, name } = ref;
  const what = `Secret ${namespace}/${name}`;
  try {
    const secret = await nullIfNotFound(`read ${what}`, () =>
      core.readNamespacedSecret({ namespace, name }, options()),
    );
    if (secret === null) return { kind: "problem", reason: `${what} does not exist` };
    const { type = "Opaque", data = {} } = secret;
    return { kind: "found", hash: hashSecret(type, data), logins: dockerConfigsIn(decodeSecretData(data)) };
  } catch (error) {
    if (isForbidden(error)) return { kind: "problem", reason: `${what}: Pawl is not allowed to read it` };
    throw error;
  }
}

/** Independent of the order of the keys. */
function hashSecret(type: string, data: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return `sha256:${createHash("sha256")
    .update(JSON.stringify([type, sorted]))
    .digest("hex")}`;
}
