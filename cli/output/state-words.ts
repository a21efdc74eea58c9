import type { StateName } from "../../functions/domain/state/state.ts";

/** What needs a person comes first. */
export const stateWords = {
  CircuitOpen: "Circuit open",
  Stalled: "Stalled",
  RollingBack: "Rolling back",
  Updating: "Updating",
  Waiting: "Waiting",
  Held: "Held",
  Behind: "Behind",
  NotEvaluated: "Not evaluated",
  UpToDate: "Up to date",
} as const satisfies Record<StateName, string>;

const order = Object.keys(stateWords) as readonly StateName[];

/** Sorts what needs a person first, and keeps the order within a state. */
export function sortByState<One extends { readonly state: StateName }>(all: readonly One[]): readonly One[] {
  return all.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}
