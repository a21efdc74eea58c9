import { AsyncLocalStorage } from "node:async_hooks";

/** One run of a function. */
export interface Invocation {
  readonly id: string;
  /** A function that was ended sends nothing more, and no response reaches it. */
  isDead: boolean;
  /** For how much it waits that only time ends: pauses, and responses that never come. */
  waits: number;
}

const running = new AsyncLocalStorage<Invocation>();

/** Runs a function so that `currentInvocation` knows it in all that it calls. */
export function runInvocation<Result>(invocation: Invocation, run: () => Promise<Result>): Promise<Result> {
  return running.run(invocation, run);
}

/** Returns the function that is running; undefined outside of functions. */
export function currentInvocation(): Invocation | undefined {
  return running.getStore();
}
