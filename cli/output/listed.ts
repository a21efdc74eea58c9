const mostListed = 20;

/** Names in a sentence: the first twenty, and how many there are more. */
export function listed(names: readonly string[]): string {
  const more = names.length - mostListed;
  return names.slice(0, mostListed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
