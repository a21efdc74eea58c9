import type { Outcome } from "./outcome.ts";

export interface Outcomes {
  readonly bareLoop: Outcome;
  readonly pawl: Outcome;
  /** null if Renovate is omitted. */
  readonly renovate: Outcome | null;
}

export interface Goal {
  readonly goal: string;
  readonly isMet: boolean;
  readonly actual: string;
}

/** Compares the outcomes with the goals, by the time of the look-up. */
export function evaluateGoals({ bareLoop, pawl, renovate }: Outcomes, minRequests: number): readonly Goal[] {
  const own = [
    maxRatioGoal("at most 1.3 times the time of the bare loop", pawl.seconds / bareLoop.seconds, 1.3),
    maxRatioGoal("at most 1.6 times its CPU time", pawl.cpuSeconds / bareLoop.cpuSeconds, 1.6),
    maxRatioGoal("at most 1.3 times its memory", pawl.peakBytes / bareLoop.peakBytes, 1.3),
    {
      goal: "no more requests than pages, and one for each image that is updated",
      isMet: pawl.requests === minRequests,
      actual: `${pawl.requests} of ${minRequests}`,
    },
  ];
  if (renovate === null) return own;
  return [
    ...own,
    maxRatioGoal("at most 1/10 of Renovate's time", pawl.seconds / renovate.seconds, 1 / 10),
    maxRatioGoal("at most 1/5 of Renovate's memory", pawl.peakBytes / renovate.peakBytes, 1 / 5),
  ];
}

function maxRatioGoal(goal: string, ratio: number, bound: number): Goal {
  return { goal, isMet: ratio <= bound, actual: ratio.toFixed(3) };
}
