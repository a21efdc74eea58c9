import type { AwsOptions } from "../adapters/aws/client.ts";
import { createAwsRateLimiter } from "../adapters/aws/rate-limiter.ts";
import { createEmfMetrics } from "../adapters/aws/emf-metrics.ts";
import type { Ports } from "../contract/ports.ts";
import { InputInvalid } from "../contract/validate.ts";
import type { MetricProviders } from "../ports/metric-provider.ts";
import type { Metrics } from "../ports/metrics.ts";
import { createInProcessPollLease } from "../workflows/poll/hold-lease.ts";
import { sendDigests } from "../workflows/poll/send-digests.ts";
import { auditChanges } from "../workflows/audit-changes.ts";
import { createInProcessPoolCheckRecorder } from "../workflows/node-pool-rollout/record-status.ts";
import { createInProcessCheckRecorder } from "../workflows/poll/record/record-check.ts";
import { lazy } from "./lazy.ts";
import { logger } from "./logger.ts";
import {
  type AdapterOptions,
  openCheckRecorder,
  openCommands,
  openEvents,
  openExecutions,
  openLambdaDigestSender,
  openLambdaPollLease,
  openFanOutExecutions,
  openPoolCheckRecorder,
  openPoolExecutions,
  openWorkList,
} from "./open-aws.ts";
import { openVerifier } from "./open-verifier.ts";
import { openCluster, openNodePools, openPollLease } from "./open-cluster.ts";
import {
  createLossReporter,
  reportLostEvents,
  reportLostPoolEvents,
  reportLostPublishes,
  type Warn,
} from "./report-lost-events.ts";
import type { Environment } from "./settings.ts";
import { readSettings } from "./read-settings.ts";
import { withSettingsFile } from "./settings-file.ts";

const built = new Map<string, Promise<Ports>>();

/** Without it, a registry has no methods for these: asked lazily, they would seem to be there. */
const withoutEcr = { pushTimes: undefined, scanOf: undefined };

/**
 * Returns the production ports for one cluster. They are built once and kept while the function is warm. Throws
 * `SettingsInvalid`, and `InputInvalid` for a cluster other than PAWL_CLUSTER, the only one that the function serves.
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
  /** The clock of everything; defaults to the real one. */
  readonly now?: () => Date;
  /** How to reach AWS, if not as the SDK does by default. */
  readonly aws?: AwsOptions;
  /** Defaults to the log, in CloudWatch's embedded metric format. */
  readonly metrics?: Metrics;
  /** Receives a warning for each event that is lost. Defaults to the function's log. */
  readonly warn?: Warn;
}

/**
 * Builds new ports. Throws `SettingsInvalid`. No client is built before a method of its port is called, so an invalid kubeconfig
 * or login is reported there.
 */
export async function buildPorts(
  environment: Environment,
  cluster: string,
  options: BuildOptions = {},
): Promise<Ports> {
  const { now = () => new Date(), aws = {}, warn = (message, about) => logger.warn(message, { ...about }) } = options;
  const settings = readSettings(withSettingsFile(environment));
  const adapter: AdapterOptions = { settings, aws, now, limiter: createAwsRateLimiter(settings.limits.aws) };
  const {
    metrics = createEmfMetrics({
      cluster,
      namespace: settings.metricsNamespace,
      byKubernetesNamespace: settings.namespaceMetrics,
    }),
  } = options;
  const reportLoss = createLossReporter(metrics, warn);
  const metricProviders = lazy<{ open: MetricProviders }>(async () => {
    const { openMetricProviders } = await import("./open-metric-providers.ts");
    return { open: openMetricProviders(adapter) };
  });
  const git = lazy<{ open: Ports["git"] }>(async () => {
    const { createGitOpener } = await import("./open-git.ts");
    return { open: createGitOpener(settings.git, adapter) };
  });
  const events = reportLostPublishes(
    lazy(() => openEvents(adapter)),
    reportLoss,
  );
  const opened = lazy(async () => reportLostEvents(await openCluster({ ...adapter, name: cluster }), reportLoss), {
    name: cluster,
  });
  const ports: Omit<Ports, "checkRecorder" | "poolCheckRecorder" | "pollLease" | "digests"> = {
    cluster: auditChanges(opened, { events, now }),
    registry: lazy(
      async () => (await import("./open-registry.ts")).openRegistry(adapter),
      settings.ecr ? {} : withoutEcr,
    ),
    executions: lazy(() => openExecutions(adapter)),
    nodePools: lazy(async () => reportLostPoolEvents(await openNodePools(adapter), reportLoss)),
    poolExecutions: lazy(() => openPoolExecutions(adapter)),
    nodePoolsEnabled: settings.nodePools.enabled,
    tagCacheSeconds: settings.nodePools.tagCacheSeconds,
    commands: lazy(() => openCommands(adapter)),
    events,
    notifications: lazy(async () => (await import("./open-notifications.ts")).openNotifications(adapter)),
    notificationTargets: settings.notificationTargets,
    limits: settings.limits,
    ownPollLease: lazy(() => openPollLease(adapter)),
    fanOutExecutions: lazy(() => openFanOutExecutions(adapter)),
    workList: lazy(() => openWorkList(cluster, adapter)),
    git: (name) => git.open(name),
    verifier: openVerifier(cluster, adapter),
    metricProvider: (address) => metricProviders.open(address),
    metrics,
    now,
  };
  const { recordCheckFunction, recordPoolFunction } = settings;
  return {
    ...ports,
    checkRecorder:
      recordCheckFunction === null
        ? createInProcessCheckRecorder(ports)
        : lazy(() => openCheckRecorder(recordCheckFunction, cluster, adapter)),
    pollLease:
      recordCheckFunction === null
        ? createInProcessPollLease(ports)
        : lazy(() => openLambdaPollLease(recordCheckFunction, cluster, adapter)),
    digests: {
      targets: settings.dailyDigests,
      send:
        recordCheckFunction === null
          ? (digests) => sendDigests(ports, digests)
          : lazy(() => openLambdaDigestSender(recordCheckFunction, cluster, adapter)).send,
    },
    poolCheckRecorder:
      recordPoolFunction === null
        ? createInProcessPoolCheckRecorder(ports)
        : lazy(() => openPoolCheckRecorder(recordPoolFunction, cluster, adapter)),
  };
}
