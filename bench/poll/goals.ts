import type { Outcome } from "./outcome.ts";

export interface Outcomes {
  readonly bareLoop: Outcome;
  readonly pawl: Outcome;
  /** null where it was left out. */
  readonly renovate: Outcome | null;
}

export interface Goal {
  readonly goal: string;
  readonly isMet: boolean;
  readonly reached: string;
}

/** What issue and README promise, judged by the look-ups' own times. */
export function judge({ bareLoop, pawl, renovate }: Outcomes, fewestRequests: number): readonly Goal[] {
  const own = [
    atMost("at most 1.3 times the time of the bare loop", pawl.seconds / bareLoop.seconds, 1.3),
    {
      goal: "no request more than there are pages",
      isMet: pawl.requests === fewestRequests,
      reached: `${pawl.requests} of ${fewestRequests}`,
    },
  ];
  if (renovate === null) return own;
  return [
    ...own,
    atMost("at most a tenth of Renovate's time", pawl.seconds / renovate.seconds, 1 / 10),
    atMost("at most a fifth of Renovate's memory", pawl.peakBytes / renovate.peakBytes, 1 / 5),
  ];
}

function atMost(goal: string, ratio: number, bound: number): Goal {
  return { goal, isMet: ratio <= bound, reached: ratio.toFixed(3) };
}
