import pLimit from "p-limit";

/**
 * Maps items with limited concurrency. If one fails, the others are still awaited, because no call may outlive the step; then the
 * first failure is thrown.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  mapItem: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const limit = pLimit(concurrency);
  const results = await Promise.allSettled(items.map((item) => limit(() => mapItem(item))));
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
