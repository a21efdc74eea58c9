import { namespaceExceeded } from "../../domain/budget/budget-exceeded.ts";
import { createPacer } from "./pacer.ts";

/** An operation had to give up its memory to others; its registry answered with more than its share. */
export class MemoryExceeded extends Error {
  override readonly name = "MemoryExceeded";

  constructor(maxBytes: number) {
    super(
      `the answers of all registries together exceed ${maxBytes} bytes, and of these, those of its namespace and registry hold most for the longest time; the next poll tries again`,
    );
  }
}

/** The memory that one operation holds. */
export interface MemoryShare {
  /** Aborted if the operation is evicted; what it holds counts as released from then on. */
  readonly signal: AbortSignal;
  /** Adds to what the operation holds. Throws `MemoryExceeded` or `BudgetExceeded` if the operation is evicted. */
  hold(bytes: number): void;
  /** The same for what a registry sent; waits if it sent much. */
  receive(bytes: number): Promise<void> | void;
  /** Ends the operation. */
  release(): void;
}

export interface MemoryBudget {
  /** Opens the share of an operation on a registry host, for a namespace. */
  open(host: string, payer?: string): MemoryShare;
}

/** What an operation may hold before it is paced: a listing of some thousand tags. */
const unpacedBytes = 256 * 1024;

/** An answer that arrives faster makes progress. */
const expectedBytesPerSecond = 256 * 1024;

/** Counts for every answer, so that of two that make progress the larger one costs more. */
const minIdleSeconds = 0.05;

interface Holder {
  readonly host: string;
  readonly payer: string;
  readonly controller: AbortController;
  readonly openedAt: number;
  bytes: number;
  /** How long it waited for its turn here, which is no fault of its registry. */
  pausedMs: number;
}

/**
 * Bounds what all operations in flight hold together. If that is too much, one of a namespace that holds more than its share is evicted: of
 * the namespace, and of its hosts, that costs most in bytes and time without progress. Of n namespaces, one that holds at most an n-th is
 * never evicted, unless that is above its limit, `limitOf`: those above theirs give way first. No operation waits for another one to end.
 * Large ones are paced, so that small ones get the CPU.
 */
export function createMemoryBudget(
  maxBytes: number,
  bytesPerSecond: number,
  limitOf: (payer: string) => number = () => Number.POSITIVE_INFINITY,
): MemoryBudget {
  const pace = createPacer(bytesPerSecond);
  const holders = new Set<Holder>();
  let total = 0;

  function drop(holder: Holder): void {
    if (holders.delete(holder)) total -= holder.bytes;
  }

  function evictUntilFits(): void {
    if (total <= maxBytes) return;
    const now = performance.now();
    const cost = (holder: Holder) => holder.bytes * (idleSeconds(holder, now) + minIdleSeconds);
    const mostExpensive = (groups: readonly (readonly Holder[])[]) => largest(groups, (group) => sum(group, cost));
    const payers = groupBy([...holders], ({ payer }) => payer);
    const isOver = (group: readonly Holder[]) => sum(group, bytesOf) > limitOf(group[0]?.payer ?? "");
    // One that is alone is above no limit.
    const over = payers.length > 1 ? payers.filter(isOver) : [];
    const ofPayer = mostExpensive(over.length > 0 ? over : aboveShare(payers));
    const holder = largest(mostExpensive(aboveShare(groupBy(ofPayer, ({ host }) => host))), cost);
    const { payer } = holder;
    const reason =
      over.length > 0
        ? namespaceExceeded(payer, "bytes", sum(ofPayer, bytesOf), limitOf(payer))
        : new MemoryExceeded(maxBytes);
    drop(holder);
    holder.controller.abort(reason);
    evictUntilFits();
  }

  function open(host: string, payer = ""): MemoryShare {
    const openedAt = performance.now();
    const holder: Holder = { host, payer, controller: new AbortController(), openedAt, bytes: 0, pausedMs: 0 };
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
        if (holder.bytes <= unpacedBytes) return undefined;
        const startedAt = performance.now();
        return pace(bytes).then(() => void (holder.pausedMs += performance.now() - startedAt));
      },
      release: () => drop(holder),
    };
  }

  return { open };
}

/** Returns the groups that hold at least what each would if all held the same. */
function aboveShare(groups: readonly (readonly Holder[])[]): readonly (readonly Holder[])[] {
  const held = groups.map((group) => sum(group, bytesOf));
  const share = held.reduce((total, bytes) => total + bytes, 0) / groups.length;
  return groups.filter((_, index) => (held[index] ?? 0) >= share);
}

/** Returns for how long an operation has been open beyond what its bytes need, and a second. */
function idleSeconds({ openedAt, pausedMs, bytes }: Holder, now: number): number {
  return Math.max(0, (now - openedAt - pausedMs) / 1000 - bytes / expectedBytesPerSecond - 1);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  return [...Map.groupBy(items, keyOf).values()];
}

function bytesOf({ bytes }: Holder): number {
  return bytes;
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((found, item) => found + valueOf(item), 0);
}

function largest<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item {
  return items.reduce((best, item) => (sizeOf(item) > sizeOf(best) ? item : best));
}
