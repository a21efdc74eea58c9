import type { Injection } from "./plan.ts";

interface Excuse {
  readonly isExcused: (scenario: string, cell: Injection) => boolean;
  readonly reason: string;
}

/** The cells that may break an invariant, at most 1 % of all. */
export const excuses: readonly Excuse[] = [
  {
    isExcused: (scenario, { call, occurrence, fault, isOnce }) =>
      scenario === "dependency down for both" &&
      occurrence === 1 &&
      ((call === "RollBack: PATCH deployments/web" &&
        (!isOnce || ["403", "denial", "killed-before"].includes(fault))) ||
        (call === "RollBack: PATCH autoupdates/deployment-web/status" &&
          (fault === "killed-after" || (fault === "hang-lost" && !isOnce)))),
    reason:
      "a rollback that was decided is carried out, also if its write is refused, or its function is killed, until the dependency is up again: the version before is healthy then, so that it is no control",
  },
];

/** At most this share of the cells is excused. */
export const maxExcusedShare = 0.01;
