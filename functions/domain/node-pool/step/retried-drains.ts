import type { Member } from "../node/bootc-node.ts";
import { firstDelayHours, type GivenBack } from "../node/given-back.ts";
import { byName } from "../pool/membership.ts";
import { holdsSlot, limitToOne } from "./slots.ts";

/**
 * Returns the candidates, with at most one node whose last drain took too long: the one that has waited longest. None while another such node
 * of the pool holds a slot, and for an hour after one has released its slot: what the pool costs does not grow with their number.
 */
export function limitRetriedDrains(
  candidates: readonly Member[],
  members: readonly Member[],
  image: string,
  now: Date,
): readonly Member[] {
  const earliest = now.getTime() - firstDelayHours * 3_600_000;
  const isRetry = ({ bootcNode }: Member) => bootcNode.givenBack !== null;
  return limitToOne(candidates, image, {
    isOf: isRetry,
    isBusy: members.some((one) => isRetry(one) && (holdsSlot(one) || releasedAt(one) > earliest)),
    order: (one, other) => releasedAt(one) - releasedAt(other) || byName(one, other),
  });
}

/** In milliseconds since the epoch. */
function releasedAt({ bootcNode }: Member): number {
  return (bootcNode.givenBack as GivenBack).at.getTime();
}
