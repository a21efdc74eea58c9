import type { Margin } from "./margin.ts";
import type { Evidence } from "./evidence.ts";
import type { Count } from "./rate-test.ts";
import type { Batch } from "./rank-test.ts";

/** How the canary is compared with the stable pods. */
export interface Comparison {
  readonly margin: Margin;
  /** null judges each pair of values by itself. */
  readonly test: RunTest | null;
}

/** A test of all that a run has measured: of counts, or of the ranks of samples. */
export interface RunTest {
  readonly kind: "rates" | "ranks";
  /** The probability that a run fails although the margin holds: that of the whole analysis, divided by its tests. */
  readonly alpha: number;
  /** Requests, or samples, of each side: below this number nothing is concluded. */
  readonly minSamples: number;
}

/** What a run has compared so far. */
export interface ComparisonState extends Evidence {
  /** The margin that the evidence is about. */
  readonly margin: string;
  /** Sums over the run. Of samples, the denominator is their number. */
  readonly canary: Count;
  readonly stable: Count;
  /** Of a test of ranks. */
  readonly batch?: Batch;
}
