const maxItems = 5;
const maxLength = 300;

/** Returns the first five texts, each truncated, and the number of others: a thousand nodes may have a message each. */
export function summarizeList(texts: readonly string[], more = "more"): readonly string[] {
  const shown = texts.slice(0, maxItems).map(truncate);
  const hiddenCount = texts.length - shown.length;
  return hiddenCount > 0 ? [...shown, `${hiddenCount} ${more}`] : shown;
}

/** Truncates a text to 300 characters: the message of a webhook has no limit. */
export function truncate(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
