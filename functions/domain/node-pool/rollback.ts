import { parseImageReference } from "../image/reference.ts";
import { secondsBetween } from "../text/rfc3339.ts";
import { parseDigest } from "./node-state.ts";
import type { NodePool } from "./node-pool.ts";
import type { DesiredNode } from "./step.ts";

/** So many digests are kept: a tag may return to one that failed before the newest. */
const maxFailedDigests = 10;

/** Returns the image to which a pool goes back, because `target` has failed; null if it stays on `target`. */
export function findRollbackImage(pool: NodePool, target: string): string | null {
  const { spec, status } = pool;
  const hasFailed = status.failedDigests.includes(parseDigest(target) ?? "");
  return spec.onHalt === "Rollback" && hasFailed ? findPreviousImage(pool, target) : null;
}

/** Returns the image before `target`; null if it is unknown. One of another repository may be forged, and is ignored. */
function findPreviousImage({ status: { rollbackImage } }: NodePool, target: string): string | null {
  if (rollbackImage === null || parseDigest(rollbackImage) === parseDigest(target)) return null;
  return isSameRepository(rollbackImage, target) ? rollbackImage : null;
}

function isSameRepository(one: string, other: string): boolean {
  const [a, b] = [parseImageReference(one), parseImageReference(other)];
  if ("kind" in a || "kind" in b) return false;
  return a.registry === b.registry && a.repository === b.repository;
}

/** The part of a pool's state that says whether its rollout is halted. */
interface Halt {
  readonly pool: NodePool;
  readonly isHalted: boolean;
  readonly desired: DesiredNode | null;
  readonly now: Date;
}

/** Reports whether a halted rollout will be rolled back. */
export function isRollbackPending({ pool, isHalted, desired }: Halt): boolean {
  if (!isHalted || desired === null || pool.spec.onHalt !== "Rollback") return false;
  return findPreviousImage(pool, desired.image) !== null;
}

type RollbackStatus = Pick<NodePool["status"], "haltedAt" | "failedDigests">;

/**
 * Returns since when the rollout is halted, and which digests have failed. A rollback cannot be undone, so the halt must
 * have lasted as long as a node must stay Ready.
 */
export function computeRollbackStatus(halt: Halt): RollbackStatus {
  const { pool, now, desired } = halt;
  const { failedDigests } = pool.status;
  if (!isRollbackPending(halt)) return { haltedAt: null, failedDigests };
  const haltedAt = pool.status.haltedAt ?? now;
  const digest = parseDigest(desired?.image ?? "");
  if (digest === null || secondsBetween(haltedAt, now) < pool.spec.minReadySeconds) return { haltedAt, failedDigests };
  const others = failedDigests.filter((failed) => failed !== digest);
  return { haltedAt: null, failedDigests: [...others, digest].slice(-maxFailedDigests) };
}
