import pLimit from "p-limit";

/**
 * Does something for each of many, so many at a time. All are awaited also where one fails: what is under way must not outlive the
 * step. Throws the first failure then.
 */
export async function forEach<Of, To>(
  many: readonly Of[],
  atOnce: number,
  act: (one: Of) => Promise<To>,
): Promise<readonly To[]> {
  const inTurn = pLimit(atOnce);
  const results = await Promise.allSettled(many.map((one) => inTurn(() => act(one))));
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
