import { setImmediate } from "node:timers/promises";

interface BatchOptions<Item, Result> {
  /** Returns one result for each item, in their order; an Error fails its item. What it throws fails all of them. */
  readonly send: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  readonly bytesOf: (item: Item) => number;
  readonly maxItems: number;
  /** Of one batch, unless a single item is larger. */
  readonly maxBytes: number;
  readonly concurrency: number;
}

interface Queued<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
  readonly bytes: number;
}

/**
 * Creates a function that sends an item together with those that wait at the same time. While `concurrency` batches are being sent,
 * items collect for the next one.
 */
export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { send, bytesOf, maxItems, maxBytes, concurrency } = options;
  const queue: Queued<Item, Result>[] = [];
  let senders = 0;

  function takeBatch(): readonly Queued<Item, Result>[] {
    let [count, total] = [0, 0];
    for (const { bytes } of queue) {
      total += bytes;
      if (count === maxItems || (count > 0 && total > maxBytes)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function sendBatch(batch: readonly Queued<Item, Result>[]): Promise<void> {
    try {
      const results = await send(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] ?? new Error("the batch has no result for this item");
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function sendAll(): Promise<void> {
    // Items that arrive in the same turn share a batch.
    await setImmediate();
    while (queue.length > 0) await sendBatch(takeBatch());
    senders -= 1;
  }

  return (item) => {
    const queued = { ...Promise.withResolvers<Result>(), item, bytes: bytesOf(item) };
    queue.push(queued);
    if (senders < concurrency) {
      senders += 1;
      void sendAll();
    }
    return queued.promise;
  };
}
