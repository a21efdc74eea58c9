import type { Member } from "../node/bootc-node.ts";
import { firstDelayHours, type GivenBack } from "../node/given-back.ts";
import { byName } from "../pool/membership.ts";
import { canAcquireSlot, holdsSlot } from "./slots.ts";

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
  const isBusy = members.some(
    (one) => one.bootcNode.givenBack !== null && (holdsSlot(one) || releasedAt(one) > earliest),
  );
  const possible = candidates.filter((one) => isRetry(one) && canAcquireSlot(one, image));
  const inOrder = possible.sort((one, other) => releasedAt(one) - releasedAt(other) || byName(one, other));
  const next = isBusy ? undefined : inOrder[0];
  return candidates.filter((one) => !isRetry(one) || one === next);
}

function isRetry(one: Member): boolean {
  return one.bootcNode.givenBack !== null && !holdsSlot(one);
}

/** In milliseconds since the epoch. */
function releasedAt({ bootcNode }: Member): number {
  return (bootcNode.givenBack as GivenBack).at.getTime();
}
