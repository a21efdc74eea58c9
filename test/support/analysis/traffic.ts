import { poisson } from "./random.ts";

export interface Traffic {
  readonly requestsPerSecond: number;
  /** Share of the requests that fail at the stable pods. */
  readonly errorRate: number;
  /** Share of the requests that the canary serves. */
  readonly share: number;
  /** How many times as often a request fails at the canary. */
  readonly factor: number;
}

export interface Minute {
  readonly canary: { readonly errors: number; readonly requests: number };
  readonly stable: { readonly errors: number; readonly requests: number };
}

/** Scrapes of a minute, at 15 s. */
const scrapes = 4;

/**
 * Returns what `increase(…[1m])` says of a minute: the counter is scraped four times, so what happens between the last scrape of a minute and
 * the first of the next is not seen, and the rest is multiplied by 4/3.
 */
export function nextMinute(
  random: () => number,
  { requestsPerSecond, errorRate, share, factor }: Traffic,
  now = 1,
): Minute {
  const seen = (scrapes - 1) / scrapes;
  const sideOf = (part: number, rate: number) => {
    const requests = requestsPerSecond * 60 * part;
    return { errors: poisson(random, requests * rate * now * seen) / seen, requests };
  };
  return { canary: sideOf(share, errorRate * factor), stable: sideOf(1 - share, errorRate) };
}

/** The settings for which docs/how-to/compare-canaries.md makes promises. */
export const settings = [20, 100, 1000, 10_000].flatMap((requestsPerSecond) =>
  [0.003, 0.01].flatMap((errorRate) => [0.05, 0.25, 0.5].map((share) => ({ requestsPerSecond, errorRate, share }))),
);
