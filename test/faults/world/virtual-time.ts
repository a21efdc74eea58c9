import { createRequire, syncBuiltinESMExports } from "node:module";
import { currentInvocation } from "../fault/invocation.ts";

interface VirtualTimer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes only in `advance`. */
export interface VirtualTime extends Disposable {
  now(): Date;
  sleep(seconds: number): Promise<void>;
  schedule(seconds: number, run: () => void): void;
  /** Runs the next timer at its time; returns false if it is later than `limit`, or if there is none. */
  advance(limit: Date): boolean;
  /** Drops all timers and sets the time. Random numbers repeat from here, as retries use them. */
  reset(since: Date): void;
}

/** In ms: the period of undici's own clock, which only closes idle connections. */
const undiciTick = 499;

/**
 * Replaces the timers of this process: `setTimeout` of the global object and of `node:timers/promises`, and `AbortSignal.timeout`. So a
 * request times out, and a state is retried, without real time. Sockets use the timers of Node itself, which are not replaced.
 */
export function installVirtualTime(): VirtualTime {
  const timers: VirtualTimer[] = [];
  let now = 0;

  function add(ms: number, run: () => void): VirtualTimer {
    const timer = { at: now + Math.max(0, ms), run };
    timers.splice(timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer);
    return timer;
  }

  function remove(timer: VirtualTimer): void {
    const index = timers.indexOf(timer);
    if (index !== -1) timers.splice(index, 1);
  }

  const random = { seed: 1 };
  const restoreTimers = replaceTimers(add, remove);
  const restoreRandom = replaceRandom(random);
  return {
    now: () => new Date(now),
    sleep: (seconds) => new Promise((resolve) => void add(seconds * 1000, resolve)),
    schedule: (seconds, run) => void add(seconds * 1000, run),
    advance(limit) {
      const next = timers[0];
      if (next === undefined || next.at > limit.getTime()) return false;
      timers.shift();
      now = Math.max(now, next.at);
      next.run();
      return true;
    },
    reset(since) {
      timers.length = 0;
      now = since.getTime();
      random.seed = 1;
    },
    [Symbol.dispose]() {
      restoreTimers();
      restoreRandom();
    },
  };
}

/** Unlike a timeout, a pause keeps its function from going on. */
async function pause(add: Add, ms: number): Promise<void> {
  const invocation = currentInvocation();
  if (invocation !== undefined) invocation.waits += 1;
  await new Promise<void>((resolve) => void add(ms, resolve));
  if (invocation !== undefined) invocation.waits -= 1;
}

type Add = (ms: number, run: () => void) => VirtualTimer;

/** Returns a function that restores the real timers. */
function replaceTimers(add: Add, remove: (timer: VirtualTimer) => void): () => void {
  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const realAbortTimeout = AbortSignal.timeout.bind(AbortSignal);
  const promises = createRequire(import.meta.url)("node:timers/promises") as { setTimeout: unknown };
  const { setTimeout: realSleep } = promises;
  const handles = new WeakMap<object, VirtualTimer>();

  function setVirtualTimeout(run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout {
    if (ms < 1 || ms === undiciTick) return realSetTimeout(run, ms, ...args);
    const handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => false,
      refresh() {
        clearVirtualTimeout(handle);
        handles.set(
          handle,
          add(ms, () => run(...args)),
        );
        return handle;
      },
    };
    return handle.refresh() as unknown as NodeJS.Timeout;
  }

  function clearVirtualTimeout(handle: unknown): void {
    const timer = typeof handle === "object" && handle !== null ? handles.get(handle) : undefined;
    if (timer === undefined) realClearTimeout(handle as NodeJS.Timeout);
    else remove(timer);
  }

  Object.assign(globalThis, { setTimeout: setVirtualTimeout, clearTimeout: clearVirtualTimeout });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    add(ms, () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")));
    return controller.signal;
  };
  promises.setTimeout = (ms = 0, value?: unknown) => pause(add, ms).then(() => value);
  syncBuiltinESMExports();
  return () => {
    Object.assign(globalThis, { setTimeout: realSetTimeout, clearTimeout: realClearTimeout });
    AbortSignal.timeout = realAbortTimeout;
    promises.setTimeout = realSleep;
    syncBuiltinESMExports();
  };
}

/** Replaces `Math.random` by the generator of Park and Miller. */
function replaceRandom(state: { seed: number }): () => void {
  const { random } = Math;
  Math.random = () => {
    state.seed = (state.seed * 48_271) % 2_147_483_647;
    return state.seed / 2_147_483_647;
  };
  return () => {
    Math.random = random;
  };
}
