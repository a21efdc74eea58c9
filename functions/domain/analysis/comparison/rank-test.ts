import { limitOf, type Margin } from "./margin.ts";

/** The samples of both sides that are still compared with new ones, oldest first. */
export interface Batch {
  readonly canary: readonly number[];
  readonly stable: readonly number[];
}

/** Of each side. It bounds the status, and how long an old sample matters. */
const maxBatch = 20;

/** How strongly each alternative of `evidence.ts` expects the canary to be above the stable pods. */
const tilts = [0.5, 1, 2, 4, 8, 16] as const;

/**
 * Compares one more pair of samples with those of the batch, as the U of Mann and Whitney does: it counts pairs in which the canary is above
 * what the margin allows. The rank of a new sample among the earlier ones is uniform if both sides have the same distribution, whatever that is:
 * so each ratio has the expectation 1, exactly. A tie counts half.
 */
export function rankRatios(
  margin: Margin,
  batch: Batch,
  canary: number,
  stable: number,
): { readonly batch: Batch; readonly ratios: readonly number[] } {
  const above = short(margin.direction * canary);
  const limit = short(margin.direction * limitOf(margin, stable));
  const full = batch.canary.length >= maxBatch;
  const { canary: canaries, stable: stables } = full ? { canary: [], stable: [] } : batch;
  const next = { canary: [...canaries, above], stable: [...stables, limit] };
  const ratios = tilts.map((tilt) => {
    const own = ratioOf(tilt, above, stables, canaries);
    // Of a stable sample, the canary's that are above it count.
    return own + ratioOf(tilt, -limit, negated(next.canary), negated(stables));
  });
  return { batch: next, ratios };
}

/** The ratio of a sample: e^(tilt u), where u is the share of the others below it, divided by the mean over all ranks it may have had. */
function ratioOf(tilt: number, sample: number, others: readonly number[], own: readonly number[]): number {
  if (others.length === 0) return 0;
  const below = (value: number) =>
    others.reduce((sum, other) => sum + (other < value ? 1 : other === value ? 0.5 : 0), 0) / others.length;
  const gaps = [-Infinity, ...others, ...own].map((value) => sharePast(value, others));
  const mean = gaps.reduce((sum, share) => sum + Math.exp(tilt * share), 0) / gaps.length;
  return tilt * below(sample) - Math.log(mean);
}

/** The share of the others that are below a sample just above this value. */
function sharePast(value: number, others: readonly number[]): number {
  return others.filter((other) => other <= value).length / others.length;
}

/** So that a status is short. */
function short(value: number): number {
  return Number(value.toPrecision(6));
}

function negated(values: readonly number[]): readonly number[] {
  return values.map((value) => -value);
}
