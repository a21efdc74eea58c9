import pLimit from "p-limit";
import type { OnRefused } from "../ports/cluster.ts";
import type { Ports } from "../task.ts";
import { decider } from "./decider.ts";
import { failed, type Polled } from "./polled.ts";

const workloadsAtOnce = 32;

/** Looks at every workload as a poll does, and does nothing about it. Keeps what came of each of them. */
export async function planCluster(
  ports: Pick<Ports, "cluster" | "registry" | "now">,
  onRefused?: OnRefused,
): Promise<readonly Polled[]> {
  const decide = decider(ports);
  const limit = pLimit(workloadsAtOnce);
  const planned: Promise<Polled>[] = [];
  for await (const workload of ports.cluster.list(onRefused)) {
    const plan = async (): Promise<Polled> => ({ workload, decision: await decide(workload), act: "none" });
    planned.push(limit(() => plan().catch(failed(workload))));
  }
  return Promise.all(planned);
}
