/** A queued reconciliation; a later item replaces a queued one of the same key. */
export type WorkItem = readonly [key: string, work: () => void];
