import type { Injection } from "./plan.ts";

interface Excuse {
  readonly isExcused: (scenario: string, cell: Injection) => boolean;
  readonly reason: string;
}

/** The cells that may break an invariant, at most 1 % of all. */
export const excuses: readonly Excuse[] = [
  {
    isExcused: (scenario, { call, occurrence, isOnce }) =>
      scenario === "dependency down for both" &&
      call === "RollBack: PATCH deployments/web" &&
      occurrence === 1 &&
      !isOnce,
    reason:
      "a rollback that was decided is carried out, also if its write is refused until the dependency is up again: the version before is healthy then, so that it is no control",
  },
];

/** At most this share of the cells is excused. */
export const maxExcusedShare = 0.01;
