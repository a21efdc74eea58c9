/** How many unchanged lines are shown around a change. */
const context = 3;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Returns a unified diff of two texts without its file names; empty if they are equal. */
export function unifiedDiff(before: string, after: string): string {
  return formatLines(compareLines(before.split("\n"), after.split("\n")));
}

/** Returns the diff of a file whose lines were changed in place, with its path. Line ends are not shown. */
export function inPlaceDiff(path: string, before: string, after: string): string {
  const [old, current] = [before, after].map((text) => text.replace(/\r?\n$/, "").split(/\r?\n/));
  const lines = (current ?? []).flatMap((text, index): Line[] => {
    const was = old?.[index] ?? "";
    if (was === text) return [{ mark: " ", text }];
    return [
      { mark: "-", text: was },
      { mark: "+", text },
    ];
  });
  return `--- a/${path}\n+++ b/${path}\n${formatLines(lines)}`;
}

function formatLines(lines: readonly Line[]): string {
  const shown = new Set(
    lines.flatMap(({ mark }, at) =>
      mark === " " ? [] : Array.from({ length: 2 * context + 1 }, (_, index) => at - context + index),
    ),
  );
  const hunks: string[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    if (!shown.has(start)) continue;
    let end = start;
    while (end < lines.length && shown.has(end)) end += 1;
    hunks.push(formatHunk(lines, start, end));
    start = end;
  }
  return hunks.join("");
}

function formatHunk(lines: readonly Line[], start: number, end: number): string {
  const count = (part: readonly Line[], other: Line["mark"]) => part.filter(({ mark }) => mark !== other).length;
  const [skipped, hunk] = [lines.slice(0, start), lines.slice(start, end)];
  const range = (other: Line["mark"]) => `${count(skipped, other) + 1},${count(hunk, other)}`;
  const body = hunk.map(({ mark, text }) => `${mark}${text}\n`).join("");
  return `@@ -${range("+")} +${range("-")} @@\n${body}`;
}

/** Marks each line by the longest common subsequence. Templates have some hundred lines. */
function compareLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const common = lengthsOfCommon(before, after);
  const lines: Line[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old, current] = [before[left], after[right]];
    if (old !== undefined && old === current) {
      lines.push({ mark: " ", text: old });
      [left, right] = [left + 1, right + 1];
    } else if (old !== undefined && lengthAt(common, left + 1, right) >= lengthAt(common, left, right + 1)) {
      lines.push({ mark: "-", text: old });
      left += 1;
    } else {
      lines.push({ mark: "+", text: current as string });
      right += 1;
    }
  }
  return lines;
}

type Lengths = readonly (readonly number[])[];

/** Beyond the end of the new text nothing is common, and every old line is removed first. */
function lengthAt(lengths: Lengths, left: number, right: number): number {
  return lengths[left]?.[right] ?? -1;
}

/** Returns the length of the longest common subsequence from each pair of lines on. */
function lengthsOfCommon(before: readonly string[], after: readonly string[]): Lengths {
  const lengths = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const [row, next] = [lengths[left] as number[], lengths[left + 1] as number[]];
    for (let right = after.length - 1; right >= 0; right -= 1) {
      row[right] =
        before[left] === after[right]
          ? (next[right + 1] as number) + 1
          : Math.max(next[right] as number, row[right + 1] as number);
    }
  }
  return lengths;
}
