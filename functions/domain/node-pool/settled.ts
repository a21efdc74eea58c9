import { needsCommands } from "./agent/needs-commands.ts";
import type { DrainedPod } from "./drain.ts";
import { joiningStep, leavingStep, memberStep } from "./node-steps.ts";
import type { NodeStep } from "./step.ts";
import type { Tick } from "./tick.ts";

export interface StepOf {
  readonly name: string;
  readonly step: NodeStep;
}

export type Work =
  | { readonly kind: "working" }
  /** Nothing moves until a person, a window or another pool has its way: an execution ends, and a poll looks again. */
  | { readonly kind: "held"; readonly reasons: readonly string[] }
  /** Every node runs what it should, or has left the pool that is being deleted. */
  | { readonly kind: "settled" };

type PodsByNode = ReadonlyMap<string, readonly DrainedPod[]>;

/**
 * The next step of every node of a pool: those that leave first, since they give slots back. None where the spec cannot be
 * read, for its selector may be what is wrong; from a pool that is being deleted nodes leave all the same.
 */
export function stepsOf(tick: Tick, pods: PodsByNode = new Map()): readonly StepOf[] {
  const { members, joining, leaving } = tick.membership;
  if (isUnreadable(tick)) return [];
  return [
    ...leaving.map((node) => ({ name: node.name, step: leavingStep(node) })),
    ...members.map((node) => ({ name: node.name, step: memberStep(node, tick, pods.get(node.name) ?? null) })),
    ...joining.map(({ name }) => ({ name, step: joiningStep(tick) })),
  ];
}

/**
 * Whether an execution has anything to do for a pool: the question of the poll before it starts one, and of the execution before
 * it ends. A node without a daemon, which waits for a command, is something to do whatever else holds the pool.
 */
export function workOf(tick: Tick): Work {
  if (isUnreadable(tick)) return { kind: "held", reasons: tick.problems };
  const steps = stepsOf(tick);
  if (needsCommands(tick) || steps.some(({ step }) => isMoving(step, tick))) return { kind: "working" };
  const reasons = steps.flatMap(({ step }) => (step.kind === "wait" ? [step.reason] : []));
  return reasons.length === 0 ? { kind: "settled" } : { kind: "held", reasons: [...new Set(reasons)] };
}

/** Agents stage by themselves: where no slot can be taken afterwards, nobody has to wait for them. */
function isMoving(step: NodeStep, { whyNoSlots }: Tick): boolean {
  if (step.kind === "none") return false;
  if (step.kind !== "wait") return true;
  if (step.for === "staging") return whyNoSlots === null;
  return step.for !== "owner" && step.for !== "slot";
}

function isUnreadable({ problems, pool }: Tick): boolean {
  return problems.length > 0 && !pool.isBeingDeleted;
}
