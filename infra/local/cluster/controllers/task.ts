/** Of two tasks that wait under one key only the later is done. */
export type Task = readonly [key: string, work: () => void];
