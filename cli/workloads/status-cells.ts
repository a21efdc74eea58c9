import type { Cell } from "../output/table.ts";
import type { WorkloadStatus } from "./status.ts";

export function inFlightCell({ inFlight }: WorkloadStatus): Cell {
  if (inFlight === null) return "-";
  const { phase, version, execution, measured } = inFlight;
  const measurement = measured === null ? "" : `, ${measured}`;
  return { text: `${phase} ${version}${measurement} (${execution ?? "manually"})`, colour: "cyan" };
}

/** Returns why a workload is in its state, with the last measurement of an update in flight, and who pinned its image. */
export function messageCell({ message, inFlight, pinned }: WorkloadStatus): Cell {
  const notes = [
    ...(inFlight === null || inFlight.measured === null ? [] : [inFlight.measured]),
    ...(pinned === "rollback" ? ["pinned by a rollback until another digest is pushed"] : []),
  ];
  return [message, ...notes].join("; ");
}
