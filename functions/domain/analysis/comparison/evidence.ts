/** What the test looks for: the rate of the canary is so many times what the margin allows. `weight` is how likely that is; they add up to 1. */
export const alternatives = [
  { ratio: 1.25, weight: 0.1 },
  { ratio: 1.5, weight: 0.2 },
  { ratio: 2, weight: 0.25 },
  { ratio: 3, weight: 0.25 },
  { ratio: 5, weight: 0.1 },
  { ratio: 12, weight: 0.1 },
] as const;

/**
 * The evidence of a run against the margin: logarithms of likelihood ratios, one for each alternative. It is as small after a year as
 * after a minute. The probability that `strength` ever exceeds log(1 / alpha), at any of any number of checks, is at most alpha if the margin
 * holds (Ville's inequality; Howard, Ramdas, McAuliffe and Sekhon 2021 call it a test martingale).
 */
export interface Evidence {
  readonly intervals: number;
  readonly logs: readonly number[];
}

export const noEvidence: Evidence = { intervals: 0, logs: [] };

/**
 * Adds what was counted in one more interval. The change may have come with any interval, and the prior probability that it came with interval t is 1 / (t (t + 1)): so hours
 * of good measurements delay the detection of a later change little, and the mixture is still a martingale.
 */
export function addInterval({ intervals, logs }: Evidence, ratios: readonly number[]): Evidence {
  const interval = intervals + 1;
  const begins = -Math.log(interval * (interval + 1));
  return {
    intervals: interval,
    logs: ratios.map((ratio, index) => round(logOfSum([logs[index] ?? -Infinity, begins]) + ratio)),
  };
}

/** Returns the logarithm of the evidence, over all alternatives. */
export function strength({ logs }: Evidence): number {
  return logOfSum(alternatives.map(({ weight }, index) => (logs[index] ?? -Infinity) + Math.log(weight)));
}

/** Returns log(e^a + e^b + …) without overflow; -Infinity of none. */
function logOfSum(logs: readonly number[]): number {
  const max = Math.max(...logs);
  return max === -Infinity ? max : max + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - max), 0));
}

/** So that a status is short. */
function round(log: number): number {
  return Math.round(log * 1e6) / 1e6;
}
