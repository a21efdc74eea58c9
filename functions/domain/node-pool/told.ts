/**
 * Whether a mark is among what a BootcNode remembers of what was said of it: marks such as
 * `staged=sha256:…/2026-11-20T12:00:00Z`, separated by blanks.
 */
export function isTold(told: string | null, mark: string): boolean {
  return marksOf(told).includes(mark);
}

/** What it is to remember once that was said too: at most one mark of each kind. */
export function withMarks(told: string | null, marks: readonly string[]): string {
  const kinds = new Set(marks.map(kindOf));
  return [...marksOf(told).filter((mark) => !kinds.has(kindOf(mark))), ...marks].join(" ");
}

function marksOf(told: string | null): readonly string[] {
  return told === null ? [] : told.split(" ");
}

function kindOf(mark: string): string {
  return mark.slice(0, mark.indexOf("="));
}
