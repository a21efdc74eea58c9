import { expect, test } from "vitest";
import { divideRates, shareRates, type SomeAwsRates } from "../../../functions/domain/budget/aws-rates.ts";

test.for<{ rates?: SomeAwsRates; count: number; shares: readonly number[] }>([
  { count: 1, shares: [10, 1, 20] },
  { count: 10, shares: [10, 1, 20] },
  { count: 50, shares: [2, 0.2, 4] },
  { rates: { describesPerSecond: 10 }, count: 3, shares: [10, 3.333, 20] },
  { rates: { startsPerSecond: undefined, describesPerSecond: 0.001 }, count: 2, shares: [10, 0.001, 20] },
])("$count clusters with $rates have $shares each", ({ rates, count, shares }) => {
  const { startsPerSecond, describesPerSecond, eventsPerSecond } = shareRates(rates, count);
  expect([startsPerSecond, describesPerSecond, eventsPerSecond]).toEqual(shares);
});

test("batches share the rates of their cluster", () => {
  const batch = { startsPerSecond: 0.625, describesPerSecond: 0.5, eventsPerSecond: 1.25 };
  expect(divideRates({ describesPerSecond: 8 }, 16)).toEqual(batch);
  expect(divideRates(undefined, 2)).toEqual({ startsPerSecond: 5, describesPerSecond: 0.5, eventsPerSecond: 10 });
});
