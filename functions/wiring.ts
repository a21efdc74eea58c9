import type { AwsOptions } from "./adapters/aws-client.ts";
import { emfMetrics } from "./adapters/metrics-emf.ts";
import { InputInvalid } from "./input.ts";
import { checksHere } from "./polling/checks-here.ts";
import type { Metrics } from "./ports/metrics.ts";
import { recordHere } from "./rolling/record-here.ts";
import { type Environment, readSettings } from "./settings.ts";
import type { Ports } from "./task.ts";
import {
  lazyChecks,
  lazyCluster,
  lazyCommands,
  lazyEvents,
  lazyExecutions,
  lazyMetricSources,
  lazyNodePools,
  lazyPoolChecks,
  lazyPolls,
  lazyRegistry,
  once,
} from "./wiring/lazy-ports.ts";
import {
  openChecks,
  openCommands,
  openEvents,
  openExecutions,
  openPoolChecks,
  openPoolExecutions,
  openPolls,
  type Wiring,
} from "./wiring/open-aws.ts";

const built = new Map<string, Promise<Ports>>();

/**
 * The production ports for one cluster, built at the first use and kept while the function is warm. Throws
 * `SettingsInvalid`, and `InputInvalid` for another cluster than PAWL_CLUSTER, the one that the function may speak to.
 */
export async function portsFromEnvironment(environment: Environment, cluster: string): Promise<Ports> {
  const served = environment["PAWL_CLUSTER"] || cluster;
  if (cluster !== served) throw new InputInvalid(`cluster "${cluster}": this function serves "${served}" only`);
  const ports = built.get(cluster) ?? buildPorts(environment, cluster);
  built.set(cluster, ports);
  ports.catch(() => built.delete(cluster));
  return ports;
}

export interface BuildOptions {
  /** The clock that everything goes by; the real one unless told otherwise. */
  readonly now?: () => Date;
  /** Where AWS is, where it is not where the SDK finds it by itself. */
  readonly aws?: AwsOptions;
  /** Where numbers go; to the log, as CloudWatch reads them, unless told otherwise. */
  readonly metrics?: Metrics;
}

/**
 * Builds the ports anew. Throws `SettingsInvalid`. No client is built before the port that needs it is called, so a
 * kubeconfig or a login that cannot be read is told there.
 */
export async function buildPorts(
  environment: Environment,
  cluster: string,
  options: BuildOptions = {},
): Promise<Ports> {
  const { now = () => new Date(), aws = {} } = options;
  const settings = readSettings(environment);
  const wiring: Wiring = { settings, aws, now };
  const { metrics = emfMetrics({ cluster, namespace: settings.metricsNamespace }) } = options;
  const openCluster = once(async () =>
    (await import("./wiring/open-cluster.ts")).openCluster({ ...wiring, name: cluster }),
  );
  const openRegistry = once(async () => (await import("./wiring/open-registry.ts")).openRegistry(wiring));
  const outside = {
    cluster: lazyCluster(cluster, openCluster),
    registry: lazyRegistry(openRegistry),
    executions: lazyExecutions(once(() => openExecutions(wiring))),
    nodePools: lazyNodePools(once(async () => (await import("./wiring/open-node-pools.ts")).openNodePools(wiring))),
    poolExecutions: lazyExecutions(once(() => openPoolExecutions(wiring))),
    looksAtNodePools: settings.nodePools.areOn,
    tagResolutionSeconds: settings.nodePools.tagResolutionSeconds,
    commands: lazyCommands(once(() => openCommands(wiring))),
    events: lazyEvents(once(() => openEvents(wiring))),
    polls: lazyPolls(once(() => openPolls(cluster, wiring))),
    metricSource: lazyMetricSources(
      once(async () => (await import("./wiring/open-metric-sources.ts")).openMetricSources(wiring)),
    ),
    metrics,
    now,
  };
  const { recordCheckFunction, recordPoolFunction } = settings;
  return {
    ...outside,
    checks:
      recordCheckFunction === null
        ? checksHere(outside)
        : lazyChecks(once(() => openChecks(recordCheckFunction, cluster, wiring))),
    poolChecks:
      recordPoolFunction === null
        ? recordHere(outside)
        : lazyPoolChecks(once(() => openPoolChecks(recordPoolFunction, cluster, wiring))),
  };
}
