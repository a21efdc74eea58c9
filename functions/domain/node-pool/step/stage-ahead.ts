import { classifyNode, parseDigest } from "../node/node-state.ts";
import { timeoutStatus } from "../halt/timeouts.ts";
import { resolveIntOrPercent } from "../pool/int-or-percent.ts";
import { byName, type JoiningNode, type Membership } from "../pool/membership.ts";
import type { Member } from "../node/bootc-node.ts";
import type { NodePoolSpec } from "../pool/node-pool.ts";
import { holdsSlot, isSkipped } from "./slots.ts";
import { findOtherZones } from "./zones.ts";

/**
 * Returns the nodes that must not stage an image yet: any reboot boots what is staged, also one that Pawl does not approve. Until as
 * many nodes as there are slots have succeeded with the image, `stageAhead` nodes without a slot stage it. One that cannot stage it,
 * or cannot acquire a slot, makes way for another. One that holds a slot always stages it, also if its BootcNode was deleted: it keeps the slot until then.
 */
export function findNotYetStaging(
  membership: Membership,
  image: string,
  spec: NodePoolSpec,
  now: Date,
): readonly (Member | JoiningNode)[] {
  const { stageAhead, maxUnavailable, topologyKey } = spec;
  if (stageAhead === null) return [];
  const { members, joining } = membership;
  const isDone = (one: Member) =>
    one.bootcNode.bootedDigest === parseDigest(image) && classifyNode(one.bootcNode) === "up-to-date";
  const firstWave = Math.max(1, resolveIntOrPercent(maxUnavailable, members.length + joining.length));
  if (members.filter((one) => isDone(one) && !holdsSlot(one)).length >= firstWave) return [];
  const waiting = members.filter((one) => !holdsSlot(one) && one.bootcNode.bootedDigest !== parseDigest(image));
  const isAsked = (one: Member) => one.bootcNode.desiredImage === image;
  const isStuck = (one: Member) => one.bootcNode.error !== null || timeoutStatus(one, spec, now) !== null;
  const isOtherZone = findOtherZones(membership, topologyKey);
  const isAway = (one: Member | JoiningNode) => !one.node.ready || isSkipped(one, spec) || isOtherZone(one);
  const ahead = waiting.filter((one) => isAsked(one) && !isStuck(one) && !isAway(one));
  const others = [...waiting.filter((one) => !isAsked(one)), ...joining.filter((one) => !holdsSlot(one))];
  const ranked = others.sort((a, b) => Number(isAway(a)) - Number(isAway(b)) || byName(a, b));
  return ranked.slice(Math.max(0, stageAhead - ahead.length));
}
