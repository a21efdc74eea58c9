import { isSameRepository } from "../../image/reference.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { parseDigest, stateForTarget } from "../node/node-state.ts";
import { holdsSlot } from "../step/slots.ts";
import { findFailingOn, isHalted } from "./halt.ts";
import type { Member } from "../node/bootc-node.ts";
import type { Membership } from "../pool/membership.ts";
import type { NodePool, NodePoolStatus } from "../pool/node-pool.ts";
import type { DesiredNode } from "../step/step.ts";

/** How many failed digests are kept: a tag may return to one that failed before the newest. */
const maxDigests = 10;

/** Returns the digests that are kept if another one is added. */
export function withDigest(digests: readonly string[], digest: string): readonly string[] {
  return [...digests.filter((one) => one !== digest), digest].slice(-maxDigests);
}

/** Reports whether an image has failed or was aborted, and is not tried again. */
export function isRejected({ spec, status }: NodePool, image: string): boolean {
  const isOf = (digest: string) => digest === parseDigest(image);
  const hasFailed = spec.onHalt === "Rollback" && status.failedDigests.some(isOf);
  return hasFailed || status.abortedDigests.some(isOf);
}

/** Returns the image to which a pool goes back, because `target` has failed or was aborted; null if it stays on `target`. */
export function findRollbackImage(pool: NodePool, target: string): string | null {
  return isRejected(pool, target) ? findPreviousImage(pool, target) : null;
}

/** Returns the image before `target`; null if it is unknown. One of another repository may be forged, and is ignored. */
export function findPreviousImage({ status }: NodePool, target: string): string | null {
  const image = previousGoodImage(status, target);
  if (image === null || parseDigest(image) === parseDigest(target)) return null;
  return isSameRepository(image, target) ? image : null;
}

/**
 * Returns the last image that was good before `target`. The last known good image is `target` itself once one node has
 * succeeded with it, and may have failed since.
 */
function previousGoodImage(status: GoodImages & Pick<NodePoolStatus, "failedDigests">, target: string): string | null {
  const { lastKnownGoodImage, rollbackImage, failedDigests } = status;
  const digest = parseDigest(lastKnownGoodImage ?? "");
  const isBefore = digest !== null && digest !== parseDigest(target) && !failedDigests.includes(digest);
  return isBefore ? lastKnownGoodImage : rollbackImage;
}

type GoodImages = Pick<NodePoolStatus, "lastKnownGoodImage" | "rollbackImage">;

/**
 * Returns the last known good image and the one before. One Ready node that has released its slot is enough: a node that
 * never succeeds must not keep an old image as the one to return to. An image that fails later on as many nodes as halt a rollout
 * is good no more, until they recover, and so is one that no node runs well. In steps, the first one has to be over.
 */
export function computeGoodImages({ pool, membership, now }: Observed, target: string): GoodImages {
  const { status } = pool;
  const rollbackImage = previousGoodImage(status, target);
  const { lastKnownGoodImage } = status;
  const isGood = membership.members.some((member) => isGoodOn(member, target));
  const failing = isGood
    ? failingOn(target, { pool, membership, now })
    : findFailingOn(target, membership.members, pool.spec, now);
  if (failing.length > 0)
    return { lastKnownGoodImage: lastKnownGoodImage === target ? rollbackImage : lastKnownGoodImage, rollbackImage };
  const isSoaking = status.progress?.digest === parseDigest(target) && status.progress.step === 1;
  return { lastKnownGoodImage: isGood && !isSoaking ? target : lastKnownGoodImage, rollbackImage };
}

type Observed = Pick<Halt, "pool" | "membership" | "now">;

/** Returns the nodes on which an image fails; none if they are too few to blame it. */
function failingOn(image: string, { pool: { spec }, membership, now }: Observed): readonly string[] {
  const { members, joining } = membership;
  const failing = findFailingOn(image, members, spec, now);
  return isHalted(spec, failing.length, members.length + joining.length, 0) ? failing : [];
}

/** Reports whether a node is Ready on an image and has released its slot. */
function isGoodOn(member: Member, image: string): boolean {
  const state = stateForTarget(member.bootcNode, parseDigest(image));
  return member.node.ready && !holdsSlot(member) && state === "up-to-date";
}

/** The part of a pool's state that says whether its rollout is halted. */
interface Halt {
  readonly pool: NodePool;
  readonly isFailing: boolean;
  readonly desired: DesiredNode | null;
  readonly membership: Membership;
  readonly now: Date;
}

/** Reports whether a halted rollout will be rolled back. */
export function isRollbackPending(halt: Halt): boolean {
  const { pool, isFailing, desired } = halt;
  if (!isFailing || desired === null || pool.spec.onHalt !== "Rollback") return false;
  const image = findPreviousImage(pool, desired.image);
  return image !== null && failingOn(image, halt).length === 0;
}

/** Describes why a halted rollout is not rolled back, and to which images a person may go; null if it will be, or need not. */
export function noRollbackReason(halt: Halt): string | null {
  const { pool, membership, isFailing, desired } = halt;
  if (!isFailing || desired === null || pool.spec.onHalt !== "Rollback" || isRollbackPending(halt)) return null;
  const image = findPreviousImage(pool, desired.image);
  const failing = image === null ? [] : failingOn(image, halt);
  const reason =
    image === null
      ? "no image before is known to be good"
      : `${parseDigest(image)} fails too on ${summarizeList(failing).join(", ")}`;
  const running = membership.members.flatMap(({ node, bootcNode: { bootedDigest, error } }) =>
    node.ready && error === null && bootedDigest !== null ? [bootedDigest] : [],
  );
  const known = [pool.status.deployedDigest, pool.status.lastKnownGoodImage, pool.status.rollbackImage];
  const digests = [...running, ...known.map((one) => (one?.includes("@") ? parseDigest(one) : one))];
  const excluded = new Set([null, parseDigest(desired.image), parseDigest(image ?? "")]);
  const candidates = new Set(digests.filter((digest) => !excluded.has(digest)));
  return `${reason}; ${candidates.size === 0 ? "no other image is known" : `candidates: ${[...candidates].join(", ")}`}`;
}

type RollbackStatus = Pick<NodePool["status"], "haltedAt" | "failedDigests">;

/**
 * Returns since when the rollout is halted, and which digests have failed. A rollback cannot be undone, so the halt must
 * have lasted as long as a node must stay Ready.
 */
export function computeRollbackStatus(halt: Halt, desired: DesiredNode): RollbackStatus {
  const { pool, now } = halt;
  const { failedDigests } = pool.status;
  if (!isRollbackPending(halt)) return { haltedAt: null, failedDigests: withoutProven(failedDigests, desired, halt) };
  const haltedAt = pool.status.haltedAt ?? now;
  const digest = parseDigest(desired.image);
  if (digest === null || secondsBetween(haltedAt, now) < pool.spec.minReadySeconds) return { haltedAt, failedDigests };
  return { haltedAt: null, failedDigests: withDigest(failedDigests, digest) };
}

/** Removes an image that failed, was tried again with `onHalt: Hold`, and is good on all nodes. */
function withoutProven(
  failedDigests: readonly string[],
  { image }: DesiredNode,
  { membership: { members } }: Halt,
): readonly string[] {
  const isProven = members.length > 0 && members.every((member) => isGoodOn(member, image));
  return isProven ? failedDigests.filter((digest) => digest !== parseDigest(image)) : failedDigests;
}
