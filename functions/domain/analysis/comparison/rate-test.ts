import { alternatives } from "./evidence.ts";
import type { Margin } from "./margin.ts";

/** What one side counted in an interval: errors of requests, or events of any exposure, such as pods. */
export interface Count {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * Returns the logarithms of the likelihood ratios of an interval, one for each alternative; zeros if a side has no requests.
 *
 * With n and m requests, and rates p and q per request, the margin holds if p <= r q + d (for a decrease: p >= r q - d). A ratio
 * is x^(errors of the canary) y^(errors of the stable pods) e^(-n d |x - 1|), with n r (x - 1) + m (y - 1) = 0. Its expectation is at
 * most 1 for every q, by log(1 + z) <= z, if the counts are binomial or Poisson. So no rate has to be known or constant, nor the share of
 * the canary: each interval has its own. The conditional test of Przyborowski and Wilenski (1940) is the case d = 0.
 */
export function rateRatios({ direction, relative, absolute }: Margin, canary: Count, stable: Count): readonly number[] {
  const [n, m] = [canary.denominator, stable.denominator];
  if (n === 0 || m === 0) return alternatives.map(() => 0);
  const allowed = 1 + direction * relative;
  return alternatives.map(({ ratio }) => {
    const assumed = direction === 1 ? allowed * ratio : allowed / ratio;
    const scale = (assumed * n + m) / (allowed * n + m);
    const x = assumed / (allowed * scale);
    const margin = n * absolute * Math.abs(x - 1);
    return canary.numerator * Math.log(x) - stable.numerator * Math.log(scale) - margin;
  });
}
