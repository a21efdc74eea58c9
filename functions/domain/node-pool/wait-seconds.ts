import { secondsAwaited } from "./awaited.ts";
import type { StepOf } from "./settled.ts";
import type { Awaited, NodeStep } from "./step.ts";
import type { Tick } from "./tick.ts";

/** How soon a look is worth it, by what is waited for: evictions are tried again as often as bootc-operator does. */
const seconds = { pods: 5, agent: 15, readiness: 15, staging: 30, slot: 60, owner: 60 } satisfies Record<
  Awaited,
  number
>;

/** What was to be written and had changed meanwhile is tried again soon. */
const soon = 2;

/** A reboot takes minutes. A node that takes longer may never come back, and is looked at more and more rarely. */
const rebootSeconds = 600;

/** As rarely as a poll would. */
const longest = 300;

/** How long an execution waits until its next look at a pool, in whole seconds: as long as the soonest of its nodes needs. */
export function waitSecondsOf(steps: readonly StepOf[], { membership, now }: Tick): number {
  const bootcNodes = new Map(membership.members.map(({ name, bootcNode }) => [name, bootcNode]));
  const each = steps.map(({ name, step }) => secondsOf(step, secondsAwaited(bootcNodes.get(name), now)));
  return Math.min(...each, longest);
}

/** A node that runs what it should needs no look. */
function secondsOf(step: NodeStep, awaited: number): number {
  if (step.kind !== "wait" && step.kind !== "none") return soon;
  const least = seconds[step.kind === "none" ? "owner" : step.for];
  if (step.kind === "wait" && (step.for === "pods" || step.for === "staging")) return least;
  return Math.max(least, Math.min(seconds.agent + Math.round(awaited - rebootSeconds), longest));
}
