import type { Cluster } from "../../ports/cluster.ts";
import { renewing, type Source } from "./renewing.ts";

interface Options extends Source<Cluster> {
  readonly name: string;
}

/** A cluster behind a kubeconfig that may be rotated: a call that was refused for it is repeated under the next one. */
export function renewingCluster({ name, ...source }: Options): Cluster {
  const kept = renewing(source);
  return {
    name,
    /** Begun again only where nothing was given yet: a workload is never given twice. */
    async *list(onRefused) {
      const first = await kept.current();
      let given = 0;
      try {
        for await (const workload of first.port.list(onRefused)) {
          given += 1;
          yield workload;
        }
      } catch (error) {
        if (given > 0) throw error;
        yield* (await kept.afterRefusal(first, error)).list(onRefused);
      }
    },
    read: (ref) => kept.call((cluster) => cluster.read(ref)),
    change: (workload, change) => kept.call((cluster) => cluster.change(workload, change)),
    runningDigests: (workload) => kept.call((cluster) => cluster.runningDigests(workload)),
    pullLogins: (workload) => kept.call((cluster) => cluster.pullLogins(workload)),
    freeStuckPods: (workload, image) => kept.call((cluster) => cluster.freeStuckPods(workload, image)),
    readAnalysis: (workload, analysis) => kept.call((cluster) => cluster.readAnalysis(workload, analysis)),
    announce: (workload, announcement) => kept.call((cluster) => cluster.announce(workload, announcement)),
  };
}
