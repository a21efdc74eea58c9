/** What stands between the commas of a list that a person has written; blanks and empty places do not count. */
export function namesIn(list: string | undefined): readonly string[] {
  return (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
