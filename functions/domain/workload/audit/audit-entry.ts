/** What a person has done. Plain JSON. */
export interface AuditEntry {
  /** Tells one from the next: the token of a request, or a hash of an approval. */
  readonly id: string;
  /** When Pawl handled or saw it. RFC3339. */
  readonly at: string;
  /** Who, by an admission policy; "unknown" if none has proved it. */
  readonly by: string;
  readonly what: string;
  /** Absent if the person did not say. */
  readonly why?: string;
  /** How it ended; absent if that is the same. */
  readonly result?: string;
}

/** Nothing proves who it was. */
export const unknownPerson = "unknown";

/** The newest are kept. */
export const maxAuditEntries = 20;

/** Adds entries: each once, and the newest. */
export function appendAudit(before: readonly AuditEntry[], added: readonly AuditEntry[]): readonly AuditEntry[] {
  const ids = new Set(added.map(({ id }) => id));
  return [...before.filter(({ id }) => !ids.has(id)), ...added].slice(-maxAuditEntries);
}

/** Describes an entry: `anna: push 1.4.2, overriding signature: incident 7 (update to 1.4.2 is requested)`. Names nobody if nothing proves who it was. */
export function describeAudit({ by, what, why, result }: AuditEntry): string {
  const whoAndWhat = by === unknownPerson ? what : `${by}: ${what}`;
  return `${whoAndWhat}${why === undefined ? "" : `: ${why}`}${result === undefined ? "" : ` (${result})`}`;
}
