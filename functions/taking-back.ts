import { giveUp } from "./domain/bookkeeping.ts";
import type { HeldClaim } from "./domain/claim.ts";
import type { Ports } from "./task.ts";

/**
 * Counts and puts the image back, clears up what the failed image left behind, and only then lets go of the claim: an
 * interruption anywhere leaves marks by which the next execution goes on, and finds the parts before it done.
 */
export async function takeBack(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  reason: string,
  isAborted: boolean,
): Promise<void> {
  if (inFlight.phase !== "rollback")
    await cluster.change(workload, giveUp(workload, inFlight, reason, now(), isAborted));
  await cluster.freeStuckPods(workload, inFlight.targetImage);
  const current = await cluster.read(workload.ref);
  if (current?.inFlight?.phase === "rollback") await cluster.change(current, { inFlight: null });
}
