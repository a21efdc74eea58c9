import { parseImageReference } from "../../domain/image-reference.ts";
import { isResolutionDue, type Resolution } from "../../domain/node-pool/target.ts";
import type { NodePool } from "../../domain/node-pool/types.ts";
import type { Ports } from "../../task.ts";

/**
 * What a registry says of a pool's tag, shown the pool's own pull secret where that may be read; null where it need not be asked.
 * A failure is an answer too: the pool's former target goes on, and its status says why.
 */
export async function resolve(
  { registry, nodePools, now }: Pick<Ports, "registry" | "nodePools" | "now">,
  pool: NodePool,
): Promise<Resolution | null> {
  const { imageRef: ref, pullSecretRef } = pool.spec;
  const image = parseImageReference(ref);
  if ("kind" in image || pool.problems.length > 0 || pool.isBeingDeleted || !isResolutionDue(pool, now())) return null;
  const secret = pullSecretRef === null ? null : await nodePools.pullSecret(pullSecretRef);
  try {
    const logins = secret?.kind === "found" ? secret.logins : [];
    return { kind: "resolved", ref, digest: await registry.digestOf(image, logins) };
  } catch (error) {
    return { kind: "failed", ref, reason: error instanceof Error ? error.message || error.name : String(error) };
  }
}
