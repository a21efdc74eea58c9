/** Strings and comments, which may contain anything; then ranges, offsets, parentheses, and what ends an operand. */
const token =
  /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?|#[^\n]*|\[([^\]:[]*)|\boffset\s(-?[\d.a-z]+)|([(),+*/%^<>=!-]|\b(?:and|or|unless)\b)/g;

const duration = /^(?:\d+(?:\.\d+)?|(?:\d+(?:ms|[smhdwy]))+)$/;
const part = /(\d+(?:\.\d+)?)(ms|[smhdwy])?/g;
const secondsPer: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/**
 * Returns how far a query of Prometheus looks back, in whole seconds: its longest range, with the subqueries and offsets around it. 0 without a
 * range. A duration that is calculated, and an offset into the future, do not count. The parser of Prometheus would be 100 kB more of each function.
 */
export function promqlRangeSeconds(query: string): number {
  // Of each open parenthesis: the longest operand so far. `last` is the operand that a range or an offset may follow.
  const open = [0];
  let last = 0;
  const endOperand = () => {
    open.push(Math.max(Number(open.pop()), last));
    last = 0;
  };
  for (const [, range, offset, sign] of query.matchAll(token)) {
    if (range !== undefined || offset !== undefined) last += secondsOf(`${range ?? offset}`);
    else if (sign === "(") {
      endOperand();
      open.push(0);
    } else if (sign === ")") {
      endOperand();
      last = open.length > 1 ? Number(open.pop()) : last;
    } else if (sign !== undefined) endOperand();
  }
  return Math.ceil(Math.max(...open, last));
}

function secondsOf(written: string): number {
  const text = written.trim();
  if (!duration.test(text)) return 0;
  return [...text.matchAll(part)].reduce((sum, [, count, unit = "s"]) => sum + Number(count) * secondsPer[unit]!, 0);
}
