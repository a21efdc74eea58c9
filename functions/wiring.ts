import { type AwsOptions, inRegionOf, withTimeouts } from "./adapters/aws-client.ts";
import { emfMetrics } from "./adapters/metrics-emf.ts";
import { InputInvalid } from "./input.ts";
import { checksHere } from "./polling/checks-here.ts";
import type { Checks } from "./ports/checks.ts";
import type { Events } from "./ports/events.ts";
import type { Executions } from "./ports/executions.ts";
import type { Metrics } from "./ports/metrics.ts";
import type { Polls } from "./ports/polls.ts";
import { type Environment, needed, readSettings, type Settings } from "./settings.ts";
import type { Ports } from "./task.ts";
import {
  lazyChecks,
  lazyCluster,
  lazyEvents,
  lazyExecutions,
  lazyMetricSources,
  lazyPolls,
  lazyRegistry,
  once,
} from "./wiring/lazy-ports.ts";

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

interface Wiring {
  readonly settings: Settings;
  readonly aws: AwsOptions;
  readonly now: () => Date;
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
    events: lazyEvents(once(() => openEvents(wiring))),
    polls: lazyPolls(once(() => openPolls(cluster, wiring))),
    metricSource: lazyMetricSources(
      once(async () => (await import("./wiring/open-metric-sources.ts")).openMetricSources(wiring)),
    ),
    metrics,
    now,
  };
  const { recordCheckFunction } = settings;
  if (recordCheckFunction === null) return { ...outside, checks: checksHere(outside) };
  return { ...outside, checks: lazyChecks(once(() => openChecks(recordCheckFunction, cluster, wiring))) };
}

async function openExecutions({ settings, aws }: Wiring): Promise<Executions> {
  const stateMachineArn = needed(settings.stateMachineArn, "PAWL_STATE_MACHINE_ARN");
  const { SFNClient } = await import("@aws-sdk/client-sfn");
  const { stepFunctionsExecutions } = await import("./adapters/step-functions.ts");
  return stepFunctionsExecutions({ client: new SFNClient(withTimeouts(aws)), stateMachineArn });
}

async function openEvents({ settings, aws, now }: Wiring): Promise<Events> {
  const busName = needed(settings.eventBusName, "PAWL_EVENT_BUS_NAME");
  const { EventBridgeClient } = await import("@aws-sdk/client-eventbridge");
  const { eventBridgeEvents } = await import("./adapters/event-bridge.ts");
  return eventBridgeEvents({ client: new EventBridgeClient(withTimeouts(aws)), busName, now });
}

async function openPolls(cluster: string, { settings, aws }: Wiring): Promise<Polls> {
  const functionName = needed(settings.pollFunction, "PAWL_POLL_FUNCTION");
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const { lambdaPolls } = await import("./adapters/lambda-polls.ts");
  const client = new LambdaClient(withTimeouts(inRegionOf(functionName, aws)));
  return lambdaPolls({ client, functionName, cluster });
}

/** `record-check` has a minute. */
const longestRecordSeconds = 70;

/** While its reserved concurrency is used up it is asked again, later each time: a poll has minutes. */
const recordAttempts = 10;

async function openChecks(functionName: string, cluster: string, { aws, now }: Wiring): Promise<Checks> {
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const { lambdaChecks } = await import("./adapters/lambda-checks.ts");
  const options = withTimeouts(inRegionOf(functionName, aws), longestRecordSeconds);
  const client = new LambdaClient({ ...options, maxAttempts: recordAttempts });
  return lambdaChecks({ client, functionName, cluster, now });
}
