import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rateRatios } from "../../../../functions/domain/analysis/comparison/rate-test.ts";

/** The probability of a number of events. */
function poissonOf(mean: number, events: number): number {
  let log = -mean;
  for (let event = 1; event <= events; event++) log += Math.log(mean / event);
  return Math.exp(log);
}

function binomialOf(tries: number, rate: number, events: number): number {
  let log = 0;
  for (let event = 1; event <= events; event++) log += Math.log((tries - event + 1) / event);
  return Math.exp(log) * rate ** events * (1 - rate) ** (tries - events);
}

type Chance = (tries: number, rate: number, events: number) => number;
const chances: Readonly<Record<string, Chance>> = {
  poisson: (tries, rate, events) => (rate === 0 ? Number(events === 0) : poissonOf(tries * rate, events)),
  binomial: binomialOf,
};

const sizes = fc.integer({ min: 1, max: 12 });
const rates = fc.double({ min: 0.01, max: 0.4, noNaN: true });
const maxEvents = 40;

describe.for(Object.entries(chances))(
  "while the margin holds, the expected ratio is at most 1: %s",
  ([name, chance]) => {
    test.for([1, -1] as const)("direction %i", (direction) => {
      fc.assert(
        fc.property(
          sizes,
          sizes,
          rates,
          fc.constantFrom(0, 0.2, 0.5),
          fc.constantFrom(0, 0.05),
          (n, m, q, relative, absolute) => {
            const margin = { direction, relative, absolute, text: "" };
            // The worst rate that the margin allows.
            const p = Math.max(0, q * (1 + direction * relative) + direction * absolute);
            const last = (tries: number) => (name === "binomial" ? tries : maxEvents);
            const expected = [0, 0, 0, 0, 0, 0];
            for (let a = 0; a <= last(n); a++) {
              for (let b = 0; b <= last(m); b++) {
                const ratios = rateRatios(margin, { numerator: a, denominator: n }, { numerator: b, denominator: m });
                const probability = chance(n, p, a) * chance(m, q, b);
                ratios.forEach((ratio, index) => (expected[index]! += probability * Math.exp(ratio)));
              }
            }
            for (const one of expected) expect(one).toBeLessThan(1 + 1e-9);
          },
        ),
        { numRuns: 40 },
      );
    });
  },
);

test("a higher rate of the canary is evidence for an increase, and a lower one for a decrease", () => {
  const counts = [
    { numerator: 40, denominator: 1000 },
    { numerator: 100, denominator: 9000 },
  ] as const;
  const margin = (direction: 1 | -1) => ({ direction, relative: 0.2, absolute: 0, text: "20%" });
  expect(Math.max(...rateRatios(margin(1), ...counts))).toBeGreaterThan(10);
  expect(Math.max(...rateRatios(margin(-1), ...counts))).toBeLessThan(0);
  const [high, low] = counts;
  expect(Math.max(...rateRatios(margin(-1), low, high))).toBeGreaterThan(10);
});

test.for([
  [0, 9],
  [9, 0],
] as const)("without requests of a side (%i, %i) nothing is known", ([n, m]) => {
  const margin = { direction: 1, relative: 0, absolute: 0, text: "0%" } as const;
  const ratios = rateRatios(margin, { numerator: 3, denominator: n }, { numerator: 1, denominator: m });
  expect(new Set(ratios)).toEqual(new Set([0]));
});
