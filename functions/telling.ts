import type { News } from "./domain/news.ts";
import type { Workload } from "./domain/workload.ts";
import type { Ports } from "./task.ts";

/** Tells one thing on the workload and on the bus. Repeated, it is one Event there and may be two here: delivery is at least once. */
export async function tell(
  { cluster, events }: Pick<Ports, "cluster" | "events">,
  workload: Workload,
  news: News,
): Promise<void> {
  const { event, type, reason, message, key, execution, version, image } = news;
  await cluster.announce(workload, { type, reason, message, key });
  await events.publish(event, {
    cluster: cluster.name,
    workload: workload.ref,
    execution,
    currentVersion: workload.bookkeeping.currentVersion,
    version,
    image,
    reason: message,
  });
}
