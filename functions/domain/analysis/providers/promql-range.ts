import { parser } from "@prometheus-io/lezer-promql";

const duration = /(\d+(?:\.\d+)?)(ms|[smhdwy])?/g;
const secondsPer: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** The selectors that look back, with the node of their duration. A subquery and what is in it add up. */
const lookingBack: ReadonlySet<string> = new Set(["MatrixSelector", "SubqueryExpr", "OffsetExpr"]);
const durations: ReadonlySet<string> = new Set(["DurationExpr", "OffsetDurationExpr"]);

type Node = ReturnType<typeof parser.parse>["topNode"];

/**
 * Returns how far a query of Prometheus looks back, in whole seconds: its longest range, with the subqueries and offsets around it. 0 without a
 * range. A duration that is calculated does not count. Placeholders may stand for names.
 */
export function promqlRangeSeconds(query: string): number {
  const text = query.replaceAll(/\{\{[^{}]*\}\}/g, (placeholder) => "x".repeat(placeholder.length));
  const rangeOf = (node: Node): number => {
    let longest = 0;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      longest = Math.max(longest, rangeOf(child));
    }
    return longest + (lookingBack.has(node.name) ? ownSeconds(node, text) : 0);
  };
  return Math.ceil(rangeOf(parser.parse(text).topNode));
}

/** Returns the first duration of a selector; the second one of a subquery is its step. An offset into the future does not count. */
function ownSeconds(node: Node, text: string): number {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (durations.has(child.name)) return secondsOf(text.slice(child.from, child.to));
  }
  return 0;
}

function secondsOf(written: string): number {
  const parts = [...written.matchAll(duration)];
  const isPlain = parts.map(([part]) => part).join("") === written.trim();
  if (!isPlain) return 0;
  return parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * secondsPer[unit]!, 0);
}
