import type { StateName } from "../../functions/domain/state/state.ts";
import { sortByState } from "./state-words.ts";
import type { Cell, Colour } from "./table.ts";

const colours = {
  CircuitOpen: "red",
  Stalled: "red",
  RollingBack: "yellow",
  Updating: "cyan",
  Waiting: "cyan",
  Held: "yellow",
  Behind: "yellow",
  NotEvaluated: "gray",
  UpToDate: "green",
} as const satisfies Record<StateName, Colour>;

export function stateCell(state: StateName): Cell {
  return { text: state, colour: colours[state] };
}

/** Returns how many there are in each state: "300 workloads: 3 Stalled, 12 Updating, 285 UpToDate". */
export function countStates(
  all: readonly { readonly state: StateName }[],
  what = all.length === 1 ? "workload" : "workloads",
): string {
  const counts = Map.groupBy(sortByState(all), ({ state }) => state);
  const each = [...counts].map(([state, { length }]) => `${length} ${state}`);
  return `${all.length} ${what}: ${each.join(", ")}`;
}
