import { formatRfc3339 } from "../../text/rfc3339.ts";
import type { ClosedGate } from "../../gates/closed-gate.ts";
import { isTimeLeft, nextOpening } from "../../schedule/maintenance-windows.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import type { PoolNode } from "../node/bootc-node.ts";
import { isRejected } from "../halt/rollback.ts";
import { overdueSeconds } from "../halt/timeouts.ts";
import { slowDrainSeconds } from "../node/drain.ts";
import { parseDigest } from "../node/node-state.ts";
import type { WaveLimit } from "../waves/progress.ts";
import { describeGates } from "./gates.ts";
import type { NodePool } from "./node-pool.ts";
import { computeRequestedImage, isGoingBack } from "./target.ts";

interface SlotConditions {
  readonly pool: NodePool;
  readonly now: Date;
  readonly pending: readonly string[];
  readonly overlap: string | null;
  readonly wave: WaveLimit;
  readonly gates: readonly ClosedGate[];
  readonly slots: number;
  readonly halted: boolean;
  readonly open: boolean;
}

/** Returns why no node acquires a slot, even if slots are free and no alerts fire; null if one may. */
export function computeNoSlotReason({
  pool,
  now,
  slots,
  halted,
  open,
  pending,
  overlap,
  wave,
  gates,
}: SlotConditions): string | null {
  if (pool.spec.paused) return "the pool is paused";
  if (halted) return "the rollout is halted";
  const requested = computeRequestedImage(pool);
  if (requested !== null && isRejected(pool, requested) && !isGoingBack(pool))
    return `${parseDigest(requested)} has failed or was aborted, and no image before is known to be good; name another one in spec.image.ref`;
  if (overlap !== null) return overlap;
  if (gates.length > 0) return describeGates(gates);
  if (!open) return describeNextWindow(pool, now);
  const seconds = windowSeconds(pool);
  if (!isTimeLeft(pool.spec.windows, seconds, now)) return describeShortWindow(pool, seconds);
  if (wave.waitsFor !== null) return `it waits for ${wave.waitsFor}`;
  if (pending.length > 0) return `it waits for ${pending.join(", and for ")}`;
  return slots === 0 ? "maxUnavailable is 0" : null;
}

/** A drain and a reboot that begin in a window must have the time to end in it: their timeouts, or what is usual. */
function windowSeconds({ spec: { drainTimeoutSeconds, rebootTimeoutSeconds } }: NodePool): number {
  return (drainTimeoutSeconds ?? slowDrainSeconds) + (rebootTimeoutSeconds ?? overdueSeconds);
}

function describeShortWindow({ spec: { windows } }: NodePool, seconds: number): string {
  const needs = `${seconds} s, which a drain and a reboot may take`;
  if (windows.some(({ durationSeconds }) => durationSeconds >= seconds))
    return `the maintenance window ends in less than ${needs}`;
  return `no maintenance window is as long as ${needs}; lengthen one, or lower drainTimeoutSeconds and rebootTimeoutSeconds`;
}

function describeNextWindow({ spec }: NodePool, now: Date): string {
  const opening = nextOpening(spec.windows, now);
  return `no maintenance window ${opening === null ? "ever opens" : `opens before ${formatRfc3339(opening)}`}`;
}

/** Names the nodes that use up `maxUnavailable`. */
export function describeBlockers(nodes: readonly PoolNode[]): string {
  const names = summarizeList(nodes.map(({ name }) => name)).join(", ");
  const isCordoned = nodes.some(({ node }) => node?.ready);
  return `nodes that are not Ready${isCordoned ? " or cordoned" : ""} use up maxUnavailable: ${names}`;
}
