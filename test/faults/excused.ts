import type { Injection } from "./plan.ts";

interface Excuse {
  readonly isExcused: (scenario: string, cell: Injection) => boolean;
  readonly reason: string;
}

/** The cells that may break an invariant, at most 1 % of all. */
export const excuses: readonly Excuse[] = [];

/** At most this share of the cells is excused. */
export const maxExcusedShare = 0.01;
