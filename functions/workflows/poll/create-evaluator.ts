import pLimit from "p-limit";
import type { Ports } from "../../contract/ports.ts";
import type { Decision } from "../../domain/workload/decision.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { AnalysisPorts } from "../read-analysis.ts";
import { noDeadline, throwIfPastDeadline } from "./deadline.ts";
import { type EvaluationPorts, evaluateWorkload } from "./evaluate-workload.ts";
import { memoizeRegistry } from "./memoize-registry.ts";

/** Reads of a cluster besides its list of workloads. */
const maxConcurrentReads = 16;

/**
 * Returns a function that decides about workloads. Registries are asked for each thing once, and the cluster once for the logins
 * of workloads with the same pull secrets, and for the ConfigMaps of a namespace. It throws what the registry and the cluster throw, and `DeadlineExceeded` if the
 * deadline passes before the cluster is read.
 */
export function createEvaluator(
  ports: Pick<Ports, "cluster" | "registry" | "now"> & Pick<AnalysisPorts, "metricProvider">,
  signal: AbortSignal = noDeadline(),
): (workload: Workload) => Promise<Decision> {
  const limit = pLimit(maxConcurrentReads);
  const queued = <Read>(read: () => Promise<Read>): Promise<Read> =>
    limit(() => {
      throwIfPastDeadline(signal);
      return read();
    });
  const pullSecrets = once(
    ({ ref, pull }: Workload) => JSON.stringify([ref.namespace, pull]),
    (workload) => queued(() => ports.cluster.pullSecrets(workload)),
  );
  const listConfigMaps = once(
    (namespace: string) => namespace,
    (namespace) => queued(() => ports.cluster.listConfigMaps(namespace)),
  );
  const cluster: EvaluationPorts["cluster"] = {
    pullSecrets,
    runningDigests: (workload) => queued(() => ports.cluster.runningDigests(workload)),
    listConfigMaps,
    readConfig: (...read) => queued(() => ports.cluster.readConfig(...read)),
    readAnalysis: (workload, name) => queued(() => ports.cluster.readAnalysis(workload, name)),
  };
  const { metricProvider } = ports;
  const evaluation = { cluster, registry: memoizeRegistry(ports.registry), metricProvider };
  return (workload) => evaluateWorkload(evaluation, workload, ports.now());
}

/** Returns a function that reads once for each key. */
function once<Of, Result>(keyOf: (of: Of) => string, read: (of: Of) => Promise<Result>): (of: Of) => Promise<Result> {
  const results = new Map<string, Promise<Result>>();
  return (of) => {
    const key = keyOf(of);
    const result = results.get(key) ?? read(of);
    results.set(key, result);
    return result;
  };
}
