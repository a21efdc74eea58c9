import { describe, expect, test } from "vitest";
import { type Batch, rankRatios } from "../../../../functions/domain/analysis/comparison/rank-test.ts";

const margin = { direction: 1, relative: 0, absolute: 0, text: "0%" } as const;
const empty: Batch = { canary: [], stable: [] };

/** Returns the sums of the ratios of pairs, canary first. */
function sumOf(pairs: readonly (readonly [number, number])[], of: typeof margin | { direction: -1 } = margin) {
  let batch = empty;
  let sums = [0, 0, 0, 0, 0, 0];
  for (const [canary, stable] of pairs) {
    const next = rankRatios({ ...margin, ...of }, batch, canary, stable);
    batch = next.batch;
    sums = sums.map((sum, index) => sum + next.ratios[index]!);
  }
  return { batch, sums };
}

function permutations(values: readonly number[]): readonly (readonly number[])[] {
  if (values.length < 2) return [values];
  return values.flatMap((value) => permutations(values.filter((one) => one !== value)).map((rest) => [value, ...rest]));
}

describe("of samples of one distribution", () => {
  test("the expected ratio is 1: the mean over all orders of three pairs", () => {
    const all = permutations([1, 2, 3, 4, 5, 6]).map(
      ([a, b, c, d, e, f]) =>
        sumOf([
          [a!, b!],
          [c!, d!],
          [e!, f!],
        ]).sums,
    );
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const mean = all.reduce((sum, ratios) => sum + Math.exp(ratios[index]!), 0) / all.length;
      expect(mean).toBeCloseTo(1, 9);
    }
  });

  test("that are all equal there is no evidence", () => {
    const { sums } = sumOf([
      [5, 5],
      [5, 5],
      [5, 5],
      [5, 5],
    ]);
    expect(Math.max(...sums)).toBeLessThan(0.5);
  });
});

test("a canary that is above the stable pods is evidence, in the direction of the margin", () => {
  const pairs = [
    [11, 1],
    [12, 2],
    [13, 3],
    [14, 4],
  ] as const;
  expect(Math.max(...sumOf(pairs).sums)).toBeGreaterThan(Math.log(40));
  expect(Math.max(...sumOf(pairs, { direction: -1 }).sums)).toBeLessThan(0);
  const swapped = pairs.map(([canary, stable]) => [stable, canary] as const);
  expect(Math.max(...sumOf(swapped, { direction: -1 }).sums)).toBeGreaterThan(Math.log(40));
});

test("a batch has 20 pairs, and the next one begins with one", () => {
  const pairs = Array.from({ length: 20 }, (_, index) => [index, index + 0.5] as const);
  expect(sumOf(pairs).batch.canary).toHaveLength(20);
  expect(sumOf([...pairs, [7, 8]]).batch).toEqual({ canary: [7], stable: [8] });
});
