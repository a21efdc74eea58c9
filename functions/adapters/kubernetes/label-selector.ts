import type { LabelSelector } from "../../domain/text/label-selector.ts";

/** Formats a selector for a query; empty if it has no requirements. */
export function formatLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...matchExpressions.map(formatExpression)].join(",");
}

function formatExpression({
  key,
  operator,
  values = [],
}: NonNullable<LabelSelector["matchExpressions"]>[number]): string {
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator.toLowerCase()} (${values.join(",")})`;
}
