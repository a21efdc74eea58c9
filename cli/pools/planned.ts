import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import { lacksFinalizer } from "../../functions/domain/node-pool/membership.ts";
import { stepsOf, workOf } from "../../functions/domain/node-pool/settled.ts";
import type { Tick } from "../../functions/domain/node-pool/tick.ts";
import type { PoolLook } from "./look.ts";
import { formatPoolName } from "./name.ts";
import { poolNodes, type PoolNodeStatus } from "./nodes.ts";
import { poolStatus } from "./status.ts";

/** One node pool of a plan, as `--json` prints it: a line like a workload's, and its nodes. */
export interface PlannedPool {
  readonly workload: string;
  readonly kind: "BootcNodePool";
  /** It is cluster-wide. */
  readonly namespace: null;
  readonly name: string;
  /** The digest that all of its nodes ran last. */
  readonly current: string | null;
  /** The digest that they are to run. */
  readonly candidate: string | null;
  readonly decision: "update" | "hold" | "in-flight" | "problem" | "error";
  /** A sentence for people. */
  readonly reason: string;
  /** Why it is held, in a word for machines; null where it is not. */
  readonly hold: "same-digest" | "paused" | "waiting" | null;
  /** What a tick would do next to each node that does not run yet what it should, or what it waits for. */
  readonly nodes: readonly Pick<PoolNodeStatus, "node" | "state" | "next">[];
}

/** `pods` are those of nodes that are being drained, where they were read. */
export function plannedPool(look: PoolLook, pods?: ReadonlyMap<string, readonly DrainedPod[]>): PlannedPool {
  const { pool, tick } = look;
  const { target, deployed } = poolStatus(look);
  return {
    workload: formatPoolName(pool),
    kind: "BootcNodePool",
    namespace: null,
    name: pool.name,
    current: deployed,
    candidate: target,
    ...decided(look),
    nodes: poolNodes(tick, pods)
      .filter(({ next }) => next !== null)
      .map(({ node, state, next }) => ({ node, state, next })),
  };
}

type Outcome = Pick<PlannedPool, "decision" | "reason" | "hold">;

function decided(look: PoolLook): Outcome {
  const { pool, tick } = look;
  const work = workOf(tick);
  if (pool.isBeingDeleted && pool.execution === null) return update("it is being deleted: its nodes are let go");
  if (tick.problems.length > 0) return { decision: "problem", reason: tick.problems.join("; "), hold: null };
  if (tick.asks === null) return { decision: "error", reason: reasonOf(look), hold: null };
  if (pool.execution !== null) {
    return {
      decision: "in-flight",
      reason: reasonOf(look, `by execution ${pool.execution}`, ...slots(tick)),
      hold: null,
    };
  }
  if (work.kind === "working") return update(reasonOf(look, counted(tick), ...slots(tick)));
  if (lacksFinalizer(pool, tick.membership)) return update(reasonOf(look, "its finalizer is to be written"));
  if (work.kind === "settled") return held("same-digest", reasonOf(look, "every node runs what it should"));
  return held(pool.spec.paused ? "paused" : "waiting", reasonOf(look, counted(tick), ...work.reasons));
}

function update(reason: string): Outcome {
  return { decision: "update", reason, hold: null };
}

function held(hold: PlannedPool["hold"], reason: string): Outcome {
  return { decision: "hold", reason, hold };
}

/** What a registry says comes first. A tag that cannot be resolved keeps no node from what it stood for before. */
function reasonOf({ pool, resolution, tick }: PoolLook, ...more: readonly string[]): string {
  const { tagProblem } = tick.pool.status;
  const { targetDigest } = pool.status;
  const isNew = resolution?.kind === "resolved" && resolution.digest !== targetDigest;
  return [
    ...(isNew
      ? [targetDigest === null ? "its tag is resolved for the first time" : "its tag stands for another digest now"]
      : []),
    ...(tagProblem === null ? [] : [`its tag could not be resolved: ${tagProblem}`]),
    ...more,
  ].join("; ");
}

function counted(tick: Tick): string {
  const moving = stepsOf(tick).filter(({ step }) => step.kind !== "none").length;
  const { members, joining, leaving } = tick.membership;
  return `${moving} of ${members.length + joining.length + leaving.length} nodes are to change`;
}

/** Who takes a slot, or why nobody does. */
function slots({ takers, whyNoSlots }: Tick): readonly string[] {
  if (whyNoSlots !== null) return [`no node takes a slot: ${whyNoSlots}`];
  return takers.size === 0 ? [] : [`${[...takers].join(", ")} ${takers.size === 1 ? "takes a slot" : "take slots"}`];
}
