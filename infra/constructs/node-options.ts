/**
 * Sets the semi-space size of a poll's heap, in MiB. With V8's default, a poll with thousands of short responses uses
 * several times as much memory before a garbage collection (measured by `bench/poll`).
 */
export const pollNodeOptions = "--max-semi-space-size=8";
