import { expect, test } from "vitest";
import { createAwsRateLimiter } from "../../../functions/adapters/aws/rate-limiter.ts";
import type { AwsRates } from "../../../functions/domain/budget/aws-rates.ts";
import { Throttled } from "../../../functions/ports/errors.ts";

/** A clock that only sleepers move. */
function prepare(rates?: Partial<AwsRates>) {
  let time = 0;
  const slept: number[] = [];
  const limiter = createAwsRateLimiter(rates, {
    clock: () => time,
    sleep: async (milliseconds) => void slept.push(milliseconds),
  });
  const send = async (rate: keyof AwsRates, count: number) => {
    const requests = Array.from({ length: count }, () => limiter.acquire(rate, "Request"));
    const results = await Promise.allSettled(requests);
    const refused = results.filter(({ status }) => status === "rejected").length;
    const waits = slept.splice(0);
    return { atOnce: count - waits.length - refused, waits: waits.length, longest: Math.max(0, ...waits), refused };
  };
  return { limiter, send, pass: (seconds: number) => void (time += seconds * 1000) };
}

test.for<{ rate: keyof AwsRates; rates?: Partial<AwsRates>; count: number; sent: object }>([
  { rate: "startsPerSecond", count: 50, sent: { atOnce: 50, waits: 0, longest: 0, refused: 0 } },
  { rate: "startsPerSecond", count: 150, sent: { atOnce: 50, waits: 100, longest: 10_000, refused: 0 } },
  { rate: "describesPerSecond", count: 50, sent: { atOnce: 25, waits: 10, longest: 10_000, refused: 15 } },
  { rate: "eventsPerSecond", count: 221, sent: { atOnce: 20, waits: 200, longest: 10_000, refused: 1 } },
  {
    rate: "describesPerSecond",
    rates: { describesPerSecond: 0.001 },
    count: 3,
    sent: { atOnce: 1, waits: 0, longest: 0, refused: 2 },
  },
])("$count at once of $rate $rates: $sent", async ({ rate, rates, count, sent }) => {
  expect(await prepare(rates).send(rate, count)).toEqual(sent);
});

test("what was not used returns with the time, up to the burst, and one rate leaves the others alone", async () => {
  const { send, pass } = prepare({ describesPerSecond: 2 });
  expect(await send("describesPerSecond", 100)).toMatchObject({ atOnce: 50, waits: 20, refused: 30 });
  expect(await send("startsPerSecond", 1)).toMatchObject({ atOnce: 1 });
  pass(15);
  expect(await send("describesPerSecond", 10)).toMatchObject({ atOnce: 10 });
  pass(1000);
  expect(await send("describesPerSecond", 51)).toMatchObject({ atOnce: 50, waits: 1, longest: 500 });
});

test("a request that is not sent says which setting allows more", async () => {
  const { limiter } = prepare({ startsPerSecond: 0.01 });
  await limiter.acquire("startsPerSecond", "StartExecution web");
  const error = await limiter.acquire("startsPerSecond", "StartExecution api").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Throttled);
  expect((error as Error).message).toBe(
    "StartExecution api: not sent: this cluster's share, 0.01 a second, is used for the next 10 s; raise limits.aws.startsPerSecond if AWS allows more",
  );
});
