const maxItems = 5;
const maxLength = 300;

/** Returns the first five texts, each truncated, and the number of others: a thousand nodes may have a message each. */
export function summarizeList(texts: readonly string[], more = "more"): readonly string[] {
  const shown = texts.slice(0, maxItems).map((text) => truncate(text));
  const hiddenCount = texts.length - shown.length;
  return hiddenCount > 0 ? [...shown, `${hiddenCount} ${more}`] : shown;
}

/**
 * Truncates a text, to 300 characters by default: the message of a webhook has no limit. Half of a surrogate pair is dropped too,
 * because an API server would store another character.
 */
export function truncate(text: string, max = maxLength): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
