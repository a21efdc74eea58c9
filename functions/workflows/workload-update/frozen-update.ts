import type { Ports } from "../../contract/ports.ts";
import { freezeRollbackReason } from "../../domain/gates/freeze.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { readFreezes } from "../read-freezes.ts";

/**
 * Returns that an update is withdrawn because a freeze began after it that rolls back what is in progress; null if it continues. Only an
 * image can be restored as it was, and what a person decided about a canary has precedence.
 */
export async function withdrawFrozen(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
): Promise<{ readonly kind: "withdraw"; readonly waitSeconds: 0; readonly reason: string } | null> {
  const { phase, startedAt } = inFlight;
  if ((phase !== "rollout" && phase !== "canary") || workload.verdict !== null) return null;
  const reason = freezeRollbackReason(await readFreezes(cluster), workload, startedAt, now());
  return reason === null ? null : { kind: "withdraw", waitSeconds: 0, reason };
}
