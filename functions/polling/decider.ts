import pLimit from "p-limit";
import type { Decision } from "../domain/decision.ts";
import type { Workload } from "../domain/workload.ts";
import type { PullLogins } from "../ports/registry.ts";
import type { Ports } from "../task.ts";
import { look, type Sight } from "./look.ts";
import { registryOnce } from "./registry-once.ts";
import { allTheTime, assertTime } from "./time-is-up.ts";

/** What is read of a cluster besides its workloads, so much at once. */
const readsAtOnce = 16;

/**
 * Decides about workloads, asking registries for each thing once for all of them, and the cluster once for the logins of those
 * that pull alike. Throws what the registry throws, and the cluster where it is asked for more than the workload; `TimeIsUp`
 * where it was to be asked and time is up.
 */
export function decider(
  ports: Pick<Ports, "cluster" | "registry" | "now">,
  outOfTime: AbortSignal = allTheTime(),
): (workload: Workload) => Promise<Decision> {
  const limit = pLimit(readsAtOnce);
  const inTurn = <Read>(read: () => Promise<Read>): Promise<Read> =>
    limit(() => {
      assertTime(outOfTime);
      return read();
    });
  const logins = new Map<string, Promise<PullLogins>>();
  const pullLogins = (workload: Workload): Promise<PullLogins> => {
    const key = JSON.stringify([workload.ref.namespace, workload.pull]);
    const known = logins.get(key) ?? inTurn(() => ports.cluster.pullLogins(workload));
    logins.set(key, known);
    return known;
  };
  const cluster: Sight["cluster"] = {
    pullLogins,
    runningDigests: (workload) => inTurn(() => ports.cluster.runningDigests(workload)),
  };
  const sight = { cluster, registry: registryOnce(ports.registry) };
  return (workload) => look(sight, workload, ports.now());
}
