import { createHash } from "node:crypto";
import { faults, isApplicable } from "./fault/fault.ts";
import type { Injection, Plan } from "./plan.ts";

type Calls = Plan["calls"];

/**
 * Returns the calls of a scenario that get faults: of a call that is repeated, the first two and the last. The calls of a poll that
 * every scenario makes are left out if `common` has them.
 */
export function selectCalls(calls: Calls, common: Calls): Calls {
  const last = new Map(calls.map(({ name, occurrence }) => [name, occurrence]));
  const shared = new Set(common.map(({ name }) => name).filter((name) => /^(poll|record-check):/.test(name)));
  return calls
    .filter(({ name }) => !shared.has(name))
    .filter(({ name, occurrence }) => occurrence <= 2 || occurrence === last.get(name));
}

/** Returns every cell of a scenario: its calls × the faults × once and for good. */
export function cellsOf(calls: Calls): readonly Injection[] {
  return calls.flatMap((call) =>
    faults
      .filter((fault) => isApplicable(fault, call))
      .flatMap((fault) =>
        [true, false].map((isOnce) => ({ call: call.name, occurrence: call.occurrence, fault, isOnce })),
      ),
  );
}

export function describeCell({ call, occurrence, fault, isOnce }: Injection): string {
  return `${call} #${occurrence}: ${fault} ${isOnce ? "once" : "for good"}`;
}

/** Returns `count` of the cells, the same ones for the same seed. */
export function sampleCells(cells: readonly Injection[], count: number, seed: number): readonly Injection[] {
  const keyOf = (cell: Injection) =>
    createHash("sha256")
      .update(`${seed} ${describeCell(cell)}`)
      .digest("hex");
  const keyed = cells.map((cell) => [keyOf(cell), cell] as const);
  return keyed
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, cell]) => cell)
    .slice(0, count);
}
