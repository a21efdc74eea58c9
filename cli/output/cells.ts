import type { Cell } from "./table.ts";

/** Formats a tag, a digest, or both; `-` for null. */
export function versionCell(version: string | null): string {
  return version ?? "-";
}

/** Formats the rollbacks since the last healthy version, and how many open the circuit. */
export function rollbacksCell(rollbacks: number, maxRollbacks: number | null): string {
  return maxRollbacks === null ? "-" : `${rollbacks}/${maxRollbacks}`;
}

/** Formats the circuit of a workload; a closed one is gray. */
export function circuitCell(isOpen: boolean): Cell {
  return isOpen ? { text: "open", colour: "red" } : { text: "closed", colour: "gray" };
}
