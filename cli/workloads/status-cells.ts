import type { Cell } from "../output/table.ts";
import { stateOf } from "./state.ts";
import type { WorkloadStatus } from "./status.ts";

export function inFlightCell({ inFlight }: WorkloadStatus): Cell {
  if (inFlight === null) return "-";
  const { phase, version, execution, measured } = inFlight;
  const measurement = measured === null ? "" : `, ${measured}`;
  return { text: `${phase} ${version}${measurement} (${execution ?? "manually"})`, colour: "cyan" };
}

const pinMessages = {
  rollback: { text: "pinned by a rollback until another digest is pushed", colour: "yellow" },
  manual: "pinned manually",
} satisfies Record<NonNullable<WorkloadStatus["pinned"]>, Cell>;

/** Returns the highest-severity message: a problem prevents updates, a pause is intended. */
export function messageCell(status: WorkloadStatus): Cell {
  const { problems, request, held, paused, reverted, pinned, enabled } = status;
  if (problems.length > 0) return { text: problems.join("; "), colour: "red" };
  if (request !== null) return { text: `requested, and not handled yet: ${request}`, colour: "cyan" };
  if (held !== null) return { text: held, colour: "yellow" };
  if (paused) return { text: "paused", colour: "yellow" };
  if (!enabled) return "auto-update is disabled";
  if (reverted !== null)
    return `a tag moved back to a previously deployed digest at ${reverted.since}; waiting 1 h before applying`;
  if (pinned !== null) return pinMessages[pinned];
  const { state, reason } = stateOf(status);
  return state === "UpdateAvailable" || state === "CircuitOpen" ? { text: reason, colour: "yellow" } : reason;
}
