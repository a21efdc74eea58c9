const maxNames = 20;

/** Joins names for a message: the first twenty, and the number of others. */
export function joinNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  return names.slice(0, maxNames).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
