import type { Cluster } from "../../ports/cluster.ts";
import { Forbidden } from "../errors.ts";
import type { Renewed } from "../renewed.ts";

interface Options {
  readonly name: string;
  /** The text of a kubeconfig. */
  readonly secret: Renewed<string>;
  readonly open: (kubeconfig: string) => Cluster;
}

/**
 * A cluster behind a kubeconfig that may be rotated. It is opened anew, connections and all, where its kubeconfig has
 * changed; one that the cluster no longer knows (401) is read again at once, and the call repeated if that helped.
 */
export function renewingCluster({ name, secret, open }: Options): Cluster {
  let opened: { readonly kubeconfig: string; readonly cluster: Cluster } | null = null;

  async function current() {
    const kubeconfig = await secret.get();
    if (opened?.kubeconfig !== kubeconfig) opened = { kubeconfig, cluster: open(kubeconfig) };
    return opened;
  }

  async function afterRefusal(refused: string, error: unknown): Promise<Cluster> {
    if (!isUnauthorized(error)) throw error;
    secret.forget(refused);
    const again = await current();
    if (again.kubeconfig === refused) throw error;
    return again.cluster;
  }

  async function call<T>(method: (cluster: Cluster) => Promise<T>): Promise<T> {
    const { kubeconfig, cluster } = await current();
    try {
      return await method(cluster);
    } catch (error) {
      return method(await afterRefusal(kubeconfig, error));
    }
  }

  return {
    name,
    /** Begun again only where nothing was given yet: a workload is never given twice. */
    async *list(onRefused) {
      const { kubeconfig, cluster } = await current();
      let given = 0;
      try {
        for await (const workload of cluster.list(onRefused)) {
          given += 1;
          yield workload;
        }
      } catch (error) {
        if (given > 0) throw error;
        yield* (await afterRefusal(kubeconfig, error)).list(onRefused);
      }
    },
    read: (ref) => call((cluster) => cluster.read(ref)),
    change: (workload, change) => call((cluster) => cluster.change(workload, change)),
    runningDigests: (workload) => call((cluster) => cluster.runningDigests(workload)),
    pullLogins: (workload) => call((cluster) => cluster.pullLogins(workload)),
    freeStuckPods: (workload, image) => call((cluster) => cluster.freeStuckPods(workload, image)),
    readAnalysis: (workload, analysis) => call((cluster) => cluster.readAnalysis(workload, analysis)),
    announce: (workload, announcement) => call((cluster) => cluster.announce(workload, announcement)),
  };
}

/** The cluster does not know who asks. What it knows and does not allow (403), no other kubeconfig is fetched for. */
function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof Forbidden)) return false;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === 401;
}
