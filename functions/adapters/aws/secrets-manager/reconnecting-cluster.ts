import type { Cluster } from "../../../ports/cluster.ts";
import { withReconnect, type ConnectionSource } from "./reconnecting.ts";

interface Options extends ConnectionSource<Cluster> {
  readonly name: string;
}

/** Creates a cluster whose kubeconfig is rotated: a call that gets a 401 is repeated with the next kubeconfig. */
export function reconnectingCluster({ name, ...source }: Options): Cluster {
  const connection = withReconnect(source);
  return {
    name,
    /** Restarted only before the first workload, so that none is returned twice. */
    async *list(onRefused) {
      const first = await connection.current();
      let count = 0;
      try {
        for await (const workload of first.port.list(onRefused)) {
          count += 1;
          yield workload;
        }
      } catch (error) {
        if (count > 0) throw error;
        yield* (await connection.reconnect(first, error)).list(onRefused);
      }
    },
    read: (ref) => connection.call((cluster) => cluster.read(ref)),
    change: (workload, change) => connection.call((cluster) => cluster.change(workload, change)),
    request: (workload, text) => connection.call((cluster) => cluster.request(workload, text)),
    runningDigests: (workload) => connection.call((cluster) => cluster.runningDigests(workload)),
    countUnavailablePods: (workload) => connection.call((cluster) => cluster.countUnavailablePods(workload)),
    listPods: (workload) => connection.call((cluster) => cluster.listPods(workload)),
    evictPod: (workload, pod) => connection.call((cluster) => cluster.evictPod(workload, pod)),
    pullSecrets: (workload) => connection.call((cluster) => cluster.pullSecrets(workload)),
    readConfig: (namespace, config, remember) =>
      connection.call((cluster) => cluster.readConfig(namespace, config, remember)),
    deleteStuckPods: (workload, image) => connection.call((cluster) => cluster.deleteStuckPods(workload, image)),
    readSnapshots: (workload, pins) => connection.call((cluster) => cluster.readSnapshots(workload, pins)),
    jobProblem: (workload, spec) => connection.call((cluster) => cluster.jobProblem(workload, spec)),
    startHook: (workload, spec) => connection.call((cluster) => cluster.startHook(workload, spec)),
    readHook: (workload, spec) => connection.call((cluster) => cluster.readHook(workload, spec)),
    stopHook: (workload, spec) => connection.call((cluster) => cluster.stopHook(workload, spec)),
    readAnalysis: (workload, analysis) => connection.call((cluster) => cluster.readAnalysis(workload, analysis)),
    emitEvent: (workload, announcement) => connection.call((cluster) => cluster.emitEvent(workload, announcement)),
  };
}
