import type { Cell } from "./table.ts";

const longestDigest = "sha256:".length + 12;

/** A tag, or the beginning of a digest; `-` where there is none. */
export function versionCell(version: string | null): string {
  if (version === null) return "-";
  return version.includes(":") ? version.slice(0, longestDigest) : version;
}

/** The circuit of a workload: closed is as it should be, and quiet. */
export function circuitCell(isOpen: boolean): Cell {
  return isOpen ? { text: "open", colour: "red" } : { text: "closed", colour: "gray" };
}
