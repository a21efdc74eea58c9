/** Parses a comma-separated list that a person wrote; blanks and empty items are ignored. */
export function parseCommaList(list: string | undefined): readonly string[] {
  return (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
