import { setTimeout } from "node:timers/promises";
import { type AwsRates, defaultAwsRates } from "../../domain/budget/aws-rates.ts";
import { Throttled } from "../../ports/errors.ts";

/** Keeps this process within its share of what the account may request. */
export interface AwsRateLimiter {
  /** Resolves when the request may be sent. Throws `Throttled` if that is not soon; nothing is sent then. */
  acquire(rate: keyof AwsRates, operation: string): Promise<void>;
}

interface Options {
  /** In milliseconds. */
  readonly clock?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** The seconds whose unused requests may be sent at once, as AWS allows with its buckets of 800 starts and 250 descriptions. */
const burstSeconds: AwsRates = { startsPerSecond: 5, describesPerSecond: 25, eventsPerSecond: 1 };

const maxWaitMilliseconds = 10_000;

/** Creates a token bucket of each rate, which is full. It holds at least one token. */
export function createAwsRateLimiter(
  rates: Partial<AwsRates> = {},
  { clock = () => performance.now(), sleep = setTimeout }: Options = {},
): AwsRateLimiter {
  /** When a request would be due if none was ever early. */
  const due = new Map<keyof AwsRates, number>();
  return {
    async acquire(rate, operation) {
      const perSecond = { ...defaultAwsRates, ...rates }[rate];
      const interval = 1000 / perSecond;
      const time = clock();
      const early = Math.max(0, burstSeconds[rate] * 1000 - interval);
      const at = Math.max(due.get(rate) ?? 0, time);
      const wait = at - early - time;
      if (wait > maxWaitMilliseconds) throw throttled(rate, perSecond, operation);
      due.set(rate, at + interval);
      if (wait > 0) await sleep(wait);
    },
  };
}

function throttled(rate: keyof AwsRates, perSecond: number, operation: string): Throttled {
  const reason = `this cluster's share, ${perSecond} a second, is used for the next ${maxWaitMilliseconds / 1000} s`;
  return new Throttled(`${operation}: not sent: ${reason}; raise limits.aws.${rate} if AWS allows more`, null);
}
