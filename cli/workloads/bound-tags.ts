import type { ExplainedTag } from "../../functions/domain/version/explain-tags.ts";

/** Some tags of a repository, and how many others there are. */
export interface BoundTags {
  readonly shown: readonly ExplainedTag[];
  /** Of the others: how many were passed over for each reason. */
  readonly hidden: readonly { readonly reason: string; readonly count: number }[];
}

/** Keeps at most `max` tags in their order: first those that may be selected, then those that failed, then the highest. */
export function boundTags({ shown, hidden }: BoundTags, max: number): BoundTags {
  const byInterest = shown.toSorted((one, other) => rank(one) - rank(other));
  const kept = new Set(byInterest.slice(0, max));
  const counts = new Map(hidden.map(({ reason, count }) => [reason, count]));
  for (const { reason } of byInterest.slice(max)) {
    const text = reason ?? "may be selected";
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return {
    shown: shown.filter((tag) => kept.has(tag)),
    hidden: [...counts].map(([reason, count]) => ({ reason, count })),
  };
}

function rank({ reason }: ExplainedTag): number {
  if (reason === null) return 0;
  return reason === "has failed before" ? 1 : 2;
}
