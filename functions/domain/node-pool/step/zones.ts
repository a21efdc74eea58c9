import { byName, type Membership } from "../pool/membership.ts";
import type { Member, PoolNode } from "../node/bootc-node.ts";
import { canAcquireSlot, holdsSlot } from "./slots.ts";

/** Returns the zone of a node, which is the value of the label `topologyKey`. Nodes without it, and all without a key, are in one zone. */
function zoneOf({ node }: PoolNode, topologyKey: string | null): string {
  return (topologyKey === null ? undefined : node?.labels[topologyKey]) ?? "";
}

/** Returns a function that reports whether nodes of another zone than that of a node hold slots. */
export function findOtherZones(
  { members, joining, leaving }: Membership,
  topologyKey: string | null,
): (one: PoolNode) => boolean {
  const held = new Set([...members, ...joining, ...leaving].filter(holdsSlot).map((one) => zoneOf(one, topologyKey)));
  return (one) => held.size > 1 || (held.size === 1 && !held.has(zoneOf(one, topologyKey)));
}

/** Returns the candidates of the zone in which nodes hold slots; without any, those of the zone of the first candidate. */
export function limitToZone(
  candidates: readonly Member[],
  membership: Membership,
  topologyKey: string | null,
  image: string,
): readonly Member[] {
  if (topologyKey === null) return candidates;
  const isOtherZone = findOtherZones(membership, topologyKey);
  const possible = candidates.filter((one) => canAcquireSlot(one, image) && !holdsSlot(one) && !isOtherZone(one));
  const [first] = possible.sort(byName);
  return possible.filter((one) => first !== undefined && zoneOf(one, topologyKey) === zoneOf(first, topologyKey));
}
