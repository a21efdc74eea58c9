import type { Cell } from "./table.ts";

/** Formats a tag, a digest, or both; `-` for null. */
export function versionCell(version: string | null): string {
  return version ?? "-";
}

/** Formats the circuit of a workload; a closed one is gray. */
export function circuitCell(isOpen: boolean): Cell {
  return isOpen ? { text: "open", colour: "red" } : { text: "closed", colour: "gray" };
}
