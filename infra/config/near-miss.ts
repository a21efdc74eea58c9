const mostEdits = 3;

/** The candidate that a misspelt word most likely meant; null where none is near. */
export function nearMiss(word: string, candidates: readonly string[]): string | null {
  const near = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.min(mostEdits, Math.floor(candidate.length / 2)))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.candidate ?? null;
}

/** Levenshtein's distance, one row of his table at a time. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of one.split("").entries()) {
    const next = [at + 1];
    for (const [index, otherLetter] of other.split("").entries()) {
      const replaced = (row[index] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
