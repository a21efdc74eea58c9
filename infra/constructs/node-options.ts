/**
 * Sets the semi-space size of a poll's heap, in MiB. With V8's default, a poll with thousands of short responses uses
 * several times as much memory before a garbage collection (measured by `bench/poll`).
 */
export const pollNodeOptions = "--max-semi-space-size=8";

/**
 * Threads of libuv, which resolve host names and decompress. With the default of 4, four names whose servers do not answer would keep
 * all other registries waiting. A thread that waits takes no CPU, and little memory.
 */
export const pollThreads = "96";
