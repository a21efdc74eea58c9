import { createPacer } from "./pacer.ts";

/** An operation had to give up its memory to others; its registry answered with more than its share. */
export class MemoryExceeded extends Error {
  override readonly name = "MemoryExceeded";

  constructor(maxBytes: number) {
    super(
      `the answers of all registries together exceed ${maxBytes} bytes, and of these, its registry's are the largest; the next poll tries again`,
    );
  }
}

/** The memory that one operation holds. */
export interface MemoryShare {
  /** Aborted if the operation is evicted; what it holds counts as released from then on. */
  readonly signal: AbortSignal;
  /** Adds to what the operation holds. Throws `MemoryExceeded` if the operation is evicted. */
  hold(bytes: number): void;
  /** The same for what a registry sent; waits if it sent much. */
  receive(bytes: number): Promise<void> | void;
  /** Ends the operation. */
  release(): void;
}

export interface MemoryBudget {
  /** Opens the share of an operation on a registry host. */
  open(host: string): MemoryShare;
}

/** What an operation may hold before it is paced: a listing of some thousand tags. */
const unpacedBytes = 256 * 1024;

interface Holder {
  readonly host: string;
  readonly controller: AbortController;
  bytes: number;
}

/**
 * Bounds what all operations in flight hold together. If that is too much, the largest operation of the host that holds most is
 * evicted: of n hosts, one that holds at most an n-th is never evicted. No operation waits for another one to end. Large ones are paced,
 * so that small ones get the CPU.
 */
export function createMemoryBudget(maxBytes: number, bytesPerSecond: number): MemoryBudget {
  const pace = createPacer(bytesPerSecond);
  const holders = new Set<Holder>();
  let total = 0;

  function drop(holder: Holder): void {
    if (holders.delete(holder)) total -= holder.bytes;
  }

  function evictUntilFits(): void {
    if (total <= maxBytes) return;
    const bytesByHost = new Map<string, number>();
    for (const { host, bytes } of holders) bytesByHost.set(host, (bytesByHost.get(host) ?? 0) + bytes);
    const [host] = largest([...bytesByHost], ([, bytes]) => bytes);
    const holder = largest(
      [...holders].filter((one) => one.host === host),
      ({ bytes }) => bytes,
    );
    drop(holder);
    holder.controller.abort(new MemoryExceeded(maxBytes));
    evictUntilFits();
  }

  function open(host: string): MemoryShare {
    const holder: Holder = { host, controller: new AbortController(), bytes: 0 };
    const { signal } = holder.controller;
    holders.add(holder);
    const hold = (bytes: number) => {
      signal.throwIfAborted();
      holder.bytes += bytes;
      total += bytes;
      evictUntilFits();
      signal.throwIfAborted();
    };
    return {
      signal,
      hold,
      receive(bytes) {
        hold(bytes);
        return holder.bytes > unpacedBytes ? pace(bytes) : undefined;
      },
      release: () => drop(holder),
    };
  }

  return { open };
}

function largest<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item {
  return items.reduce((best, item) => (sizeOf(item) > sizeOf(best) ? item : best));
}
