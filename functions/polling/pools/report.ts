import type { PoolRef } from "../../ports/node-pools.ts";

/** Counts of the node pools that one poll looked at, and those that could not be decided, with why. */
export interface PoolsReport {
  readonly looked: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  /** Nothing moves until a person, a window or another pool has its way. */
  readonly held: number;
  /** How many had something new to be written or told. */
  readonly recorded: number;
  readonly failed: readonly { readonly pool: PoolRef | null; readonly error: string; readonly message: string }[];
}

export const noPools: PoolsReport = {
  looked: 0,
  started: 0,
  adopted: 0,
  inFlight: 0,
  held: 0,
  recorded: 0,
  failed: [],
};
