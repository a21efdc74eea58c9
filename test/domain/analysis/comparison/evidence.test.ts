import { describe, expect, test } from "vitest";
import {
  addInterval,
  alternatives,
  noEvidence,
  strength,
} from "../../../../functions/domain/analysis/comparison/evidence.ts";

const nothing = alternatives.map(() => 0);
const strong = alternatives.map(() => 3);

function after(ratios: readonly (readonly number[])[]) {
  return ratios.reduce(addInterval, noEvidence);
}

describe("evidence", () => {
  test("is none before the first interval", () => {
    expect(strength(noEvidence)).toBe(-Infinity);
  });

  test("has weights that add up to 1", () => {
    expect(alternatives.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  test("never grows by intervals that say nothing", () => {
    expect(strength(after(Array.from({ length: 1000 }, () => nothing)))).toBeLessThanOrEqual(0);
  });

  test("adds up", () => {
    expect(strength(after([strong]))).toBeCloseTo(3 - Math.log(2), 5);
    expect(strength(after([strong, strong]))).toBeGreaterThan(5.3);
  });

  test("of a change is delayed by the logarithm of the time before it", () => {
    const good = Array.from({ length: 500 }, () => alternatives.map(() => -5));
    expect(strength(after([...good, ...Array.from({ length: 6 }, () => strong)]))).toBeGreaterThan(Math.log(20));
  });

  test("survives huge ratios", () => {
    expect(strength(after([alternatives.map(() => 5000), alternatives.map(() => -9000)]))).toBeLessThan(0);
    expect(strength(after([alternatives.map(() => 5000)]))).toBeGreaterThan(4000);
  });
});
