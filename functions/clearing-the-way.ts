import { leftPodsBehind } from "./domain/left-behind.ts";
import type { Workload } from "./domain/workload.ts";
import type { Ports } from "./task.ts";

/** What a failed restart left standing keeps the next attempt from going on: it goes once that one is written down. */
export async function clearTheWay({ cluster }: Pick<Ports, "cluster">, workload: Workload): Promise<void> {
  if (leftPodsBehind(workload.bookkeeping)) await cluster.freeStuckPods(workload, null);
}
