import type { StepOf } from "./settled.ts";
import type { Awaited, NodeStep } from "./step.ts";

/** How soon a look is worth it, by what is waited for: evictions are tried again as often as bootc-operator does. */
const seconds = { pods: 5, agent: 15, readiness: 15, staging: 30, slot: 60, owner: 60 } satisfies Record<
  Awaited,
  number
>;

/** What was to be written and had changed meanwhile is tried again soon. */
const soon = 2;

/** How long an execution waits until its next look at a pool: as long as the soonest of its nodes needs. */
export function waitSecondsOf(steps: readonly StepOf[]): number {
  return Math.min(...steps.map(({ step }) => secondsOf(step)), seconds.owner);
}

/** A node that runs what it should needs no look. */
function secondsOf(step: NodeStep): number {
  if (step.kind === "none") return seconds.owner;
  return step.kind === "wait" ? seconds[step.for] : soon;
}
