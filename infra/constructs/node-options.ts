/**
 * MiB a half-space of what is young in the heap of a poll. V8's own choice lets a process of thousands of short answers
 * grow by several times that before it collects anything: `bench/poll`.
 */
export const pollNodeOptions = "--max-semi-space-size=8";
