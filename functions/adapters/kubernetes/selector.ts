import type { LabelSelector } from "../../domain/label-selector.ts";

/** As the API takes a selector in a query; empty where it selects nothing in particular. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...matchExpressions.map(expressionText)].join(",");
}

function expressionText({
  key,
  operator,
  values = [],
}: NonNullable<LabelSelector["matchExpressions"]>[number]): string {
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator.toLowerCase()} (${values.join(",")})`;
}
