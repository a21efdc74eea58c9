const maxEdits = 3;

/** Returns the candidate that a misspelt word most likely means; null if none is near. */
export function suggest(word: string, candidates: readonly string[]): string | null {
  const near = candidates
    .map((candidate) => ({ candidate, edits: levenshtein(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.min(maxEdits, Math.floor(candidate.length / 2)))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.candidate ?? null;
}

/** Computes the Levenshtein distance, one row of the matrix at a time. */
function levenshtein(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const letter of one.split("")) {
    let [left, diagonal] = [row[0]! + 1, row[0]!];
    const next = [left];
    for (const [index, above] of row.slice(1).entries()) {
      left = Math.min(diagonal + (letter === other[index] ? 0 : 1), above + 1, left + 1);
      next.push(left);
      diagonal = above;
    }
    row = next;
  }
  return row.at(-1)!;
}
