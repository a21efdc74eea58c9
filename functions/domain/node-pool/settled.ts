import { needsCommands } from "./agent/needs-commands.ts";
import { isLongAwaited } from "./awaited.ts";
import type { DrainedPod } from "./drain.ts";
import { joiningStep, leavingStep, memberStep } from "./node-steps.ts";
import { type NodeStep, waitFor } from "./step.ts";
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
  const steps = [
    ...leaving.map((node) => ({ name: node.name, step: leavingStep(node) })),
    ...members.map((node) => ({ name: node.name, step: memberStep(node, tick, pods.get(node.name) ?? null) })),
    ...joining.map(({ name }) => ({ name, step: joiningStep(tick) })),
  ];
  return steps.map((one) => unlessRefused(one, tick));
}

/** What the cluster does not let through is a person's to mend. */
function unlessRefused({ name, step }: StepOf, { refused }: Tick): StepOf {
  const why = refused.get(name);
  return { name, step: why === undefined ? step : waitFor("owner", why) };
}

/**
 * Whether an execution has anything to do for a pool: the question of the poll before it starts one, and of the execution before
 * it ends. A node without a daemon, which waits for a command, is something to do whatever else holds the pool.
 */
export function workOf(tick: Tick): Work {
  if (isUnreadable(tick)) return { kind: "held", reasons: tick.problems };
  const steps = stepsOf(tick);
  if (needsCommands(tick) || steps.some((one) => isMoving(one, tick))) return { kind: "working" };
  const reasons = whyHeld(steps, tick);
  return reasons.length === 0 ? { kind: "settled" } : { kind: "held", reasons };
}

/** What the cluster refuses comes first, and of which node. All else is said once. */
function whyHeld(steps: readonly StepOf[], { refused }: Tick): readonly string[] {
  const waiting = steps.flatMap(({ name, step }) => (step.kind === "wait" ? [{ name, reason: step.reason }] : []));
  const first = waiting.filter(({ name }) => refused.has(name));
  const others = waiting.filter(({ name }) => !refused.has(name));
  return [...first.map(({ name, reason }) => `${name}: ${reason}`), ...new Set(others.map(({ reason }) => reason))];
}

/**
 * Agents stage by themselves: where no slot can be taken afterwards, nobody has to wait for them. Nor for nodes that are long
 * overdue while the rollout is halted: a poll sees whether one has come back.
 */
function isMoving({ name, step }: StepOf, tick: Tick): boolean {
  if (step.kind === "none") return false;
  if (step.kind !== "wait") return true;
  if (step.for === "staging") return tick.whyNoSlots === null;
  if (step.for === "agent" || step.for === "readiness") return !(tick.isHalted && isLongAwaited(name, tick));
  return step.for === "pods";
}

function isUnreadable({ problems, pool }: Tick): boolean {
  return problems.length > 0 && !pool.isBeingDeleted;
}
