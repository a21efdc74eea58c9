import type { Cell } from "./table.ts";

/** A tag, a digest, or both; `-` where there is none. */
export function versionCell(version: string | null): string {
  return version ?? "-";
}

/** The circuit of a workload: closed is as it should be, and quiet. */
export function circuitCell(isOpen: boolean): Cell {
  return isOpen ? { text: "open", colour: "red" } : { text: "closed", colour: "gray" };
}
