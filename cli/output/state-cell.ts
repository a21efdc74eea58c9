import type { StateName } from "../../functions/domain/state/state.ts";
import type { Cell, Colour } from "./table.ts";

const colours = {
  UpToDate: "green",
  Behind: "yellow",
  Updating: "cyan",
  RollingBack: "yellow",
  Waiting: "cyan",
  Held: "yellow",
  CircuitOpen: "red",
  Stalled: "red",
  NotEvaluated: "gray",
} as const satisfies Record<StateName, Colour>;

export function stateCell(state: StateName): Cell {
  return { text: state, colour: colours[state] };
}
