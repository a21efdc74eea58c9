import { parseImageReference } from "../../domain/image-reference.ts";
import { isResolutionDue, type Resolution } from "../../domain/node-pool/target.ts";
import type { NodePool } from "../../domain/node-pool/types.ts";
import type { Ports } from "../../task.ts";

/**
 * What a registry says of a pool's tag, shown the pool's own pull secret where that may be read; null where it need not be asked. A failure is an answer too: the pool's former target
 * goes on, and its status says why.
 */
export async function resolve(
  { registry, nodePools, now }: Pick<Ports, "registry" | "nodePools" | "now">,
  pool: NodePool,
): Promise<Resolution | null> {
  const image = parseImageReference(pool.spec.imageRef);
  if ("kind" in image || pool.problems.length > 0 || pool.isBeingDeleted || !isResolutionDue(pool, now())) return null;
  const { pullSecretRef } = pool.spec;
  const secret = pullSecretRef === null ? null : await nodePools.pullSecret(pullSecretRef);
  try {
    const logins = secret?.kind === "found" ? secret.logins : [];
    return { kind: "resolved", digest: await registry.digestOf(image, logins) };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
