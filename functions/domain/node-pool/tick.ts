import { formatRfc3339 } from "../time.ts";
import { cycleThrough, whatComesFirst } from "./depends-on.ts";
import { isHalted, type Unhealthy, unhealthyHolders } from "./halt.ts";
import { type Membership, membershipOf } from "./membership.ts";
import { candidates, holdsSlot, occupiedSlots, slotsOf } from "./slots.ts";
import type { Asks } from "./step.ts";
import { targetImage } from "./target.ts";
import type { NodePool, PoolNode } from "./types.ts";
import { isOpen, opensAt } from "./windows.ts";

/** All that was read of a pool at one time. Every write that follows from it carries the `resourceVersion` of what it changes. */
export interface Seen {
  readonly pool: NodePool;
  readonly pools: readonly NodePool[];
  readonly nodes: readonly PoolNode[];
  /** null where no pull secret is named, it is missing, or may not be read. */
  readonly pullSecretHash: string | null;
  readonly now: Date;
  /** What the cluster has just refused to have written, by node, in words. */
  readonly refused?: ReadonlyMap<string, string>;
}

/** What holds for all nodes of a pool at one tick. */
export interface Tick {
  readonly pool: NodePool;
  readonly now: Date;
  readonly membership: Membership;
  /** Those of the pool, and the circle that its dependencies make. */
  readonly problems: readonly string[];
  /** null while it is not known what the nodes are to run. */
  readonly asks: Asks | null;
  readonly unhealthy: readonly Unhealthy[];
  readonly isHalted: boolean;
  readonly isOpen: boolean;
  /** Why no node takes a slot at all, however many are free; null where one may. */
  readonly whyNoSlots: string | null;
  /** The nodes that take a slot now. */
  readonly takers: ReadonlySet<string>;
  /** What the cluster has just refused to have written, by node, in words: no step is taken on these until the next look. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Works out a tick from what was read. Pure, so that a plan and a rollout come to the same. */
export function tickOf({ pool, pools, nodes, pullSecretHash, now, refused = new Map() }: Seen): Tick {
  const membership = membershipOf(pool, nodes);
  const image = targetImage(pool);
  const nodeCount = membership.members.length + membership.joining.length;
  const unhealthy = image === null ? [] : unhealthyHolders(membership.members, image, pool.spec, now);
  const halted = isHalted(pool.spec, unhealthy.length, nodeCount);
  const open = isOpen(pool.spec.windows, now);
  const slots = slotsOf(pool.spec, nodeCount);
  const whyNoSlots = whyNone({ pool, pools, now, slots, halted, open });
  const free = whyNoSlots === null ? slots - occupiedSlots(membership) : 0;
  const willing = membership.members.filter(({ name }) => !refused.has(name));
  const chosen = image === null ? [] : candidates(willing, image, free);
  return {
    pool,
    now,
    membership,
    problems: [...pool.problems, ...problemOfOrder(pool, pools)],
    asks: image === null ? null : { image, pullSecretRef: pool.spec.pullSecretRef, pullSecretHash },
    unhealthy,
    isHalted: halted,
    isOpen: open,
    whyNoSlots,
    takers: new Set(chosen.filter((member) => !holdsSlot(member)).map(({ name }) => name)),
    refused,
  };
}

interface Circumstances extends Pick<Seen, "pool" | "pools" | "now"> {
  readonly slots: number;
  readonly halted: boolean;
  readonly open: boolean;
}

function whyNone({ pool, pools, now, slots, halted, open }: Circumstances): string | null {
  if (pool.spec.paused) return "the pool is paused";
  if (halted) return "the rollout is halted";
  if (!open) return whenItOpens(pool, now);
  const first = whatComesFirst(pool, pools);
  if (first.length > 0) return `it waits for ${first.join(", and for ")}`;
  return slots === 0 ? "maxUnavailable is 0" : null;
}

function problemOfOrder(pool: NodePool, pools: readonly NodePool[]): readonly string[] {
  const cycle = cycleThrough(pool.name, pools);
  return cycle === null ? [] : [`dependsOn: ${cycle.join(" -> ")} is a circle, in which each waits for the next`];
}

function whenItOpens({ spec }: NodePool, now: Date): string {
  const opening = opensAt(spec.windows, now);
  return `no maintenance window ${opening === null ? "ever opens" : `opens before ${formatRfc3339(opening)}`}`;
}
