import { createHash } from "node:crypto";
import type { CoreV1Api } from "@kubernetes/client-node";
import type { PullSecretRef } from "../../../domain/node-pool/types.ts";
import type { PullSecret } from "../../../ports/node-pools.ts";
import { isRefusal } from "../errors.ts";
import { loginsIn } from "../pull-logins.ts";
import { decoded, type Options, orNull } from "../requests.ts";

/** A hash of a Secret's type and data. What Pawl may not read is a problem of the pool that names it, and no failure. */
export async function hashOfSecret(ref: PullSecretRef, core: CoreV1Api, options: Options): Promise<PullSecret> {
  const { namespace, name } = ref;
  const what = `Secret ${namespace}/${name}`;
  try {
    const secret = await orNull(`read ${what}`, () => core.readNamespacedSecret({ namespace, name }, options()));
    if (secret === null) return { kind: "problem", reason: `${what} does not exist` };
    const { type = "Opaque", data = {} } = secret;
    return { kind: "found", hash: hashOf(type, data), logins: loginsIn(decoded(data)) };
  } catch (error) {
    if (isRefusal(error)) return { kind: "problem", reason: `${what}: the cluster does not let Pawl read it` };
    throw error;
  }
}

/** The same whatever the order in which the server names the keys. */
function hashOf(type: string, data: Readonly<Record<string, string>>): string {
  const inOrder = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return `sha256:${createHash("sha256")
    .update(JSON.stringify([type, inOrder]))
    .digest("hex")}`;
}
