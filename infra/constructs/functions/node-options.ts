/**
 * Sets the semi-space size of a poll's heap, in MiB. With V8's default, a poll with thousands of short responses uses
 * several times as much memory before a garbage collection (measured by `bench/poll`).
 */
export const pollNodeOptions = "--max-semi-space-size=8";

/**
 * Environment of a poll's process. The threads of libuv resolve host names and decompress: with the default of 4, four names whose
 * servers do not answer would keep all other registries waiting. A thread that waits takes no CPU, and little memory. glibc keeps freed
 * memory for each arena of its threads; one arena takes about 40 MiB less for 10,000 workloads (measured by `bench/poll-memory`).
 */
export const pollProcess = { UV_THREADPOOL_SIZE: "96", MALLOC_ARENA_MAX: "1" } as const;
