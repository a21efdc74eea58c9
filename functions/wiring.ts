import { EventBridgeClient, type EventBridgeClientConfig } from "@aws-sdk/client-eventbridge";
import { SFNClient, type SFNClientConfig } from "@aws-sdk/client-sfn";
import { KubeConfig } from "@kubernetes/client-node";
import { eventBridgeEvents } from "./adapters/event-bridge.ts";
import { kubernetesCluster } from "./adapters/kubernetes/cluster.ts";
import { readCredentials } from "./adapters/oci-registry/read-credentials.ts";
import { ociRegistry } from "./adapters/oci-registry/registry.ts";
import { stepFunctionsExecutions } from "./adapters/step-functions.ts";
import { type Environment, readSettings } from "./settings.ts";
import type { Ports } from "./task.ts";

const built = new Map<string, Promise<Ports>>();

/** The production ports for one cluster, built at the first use and kept while the function is warm. Throws `SettingsInvalid`. */
export function portsFromEnvironment(environment: Environment, cluster: string): Promise<Ports> {
  const ports = built.get(cluster) ?? buildPorts(environment, cluster);
  built.set(cluster, ports);
  ports.catch(() => built.delete(cluster));
  return ports;
}

export interface BuildOptions {
  /** The clock that everything goes by; the real one unless told otherwise. */
  readonly now?: () => Date;
  /** Where AWS is, where it is not where the SDK finds it by itself. */
  readonly aws?: SFNClientConfig & EventBridgeClientConfig;
}

/** Builds the ports anew. Throws `SettingsInvalid`, and what reading a kubeconfig or a docker config.json throws. */
export async function buildPorts(
  environment: Environment,
  cluster: string,
  options: BuildOptions = {},
): Promise<Ports> {
  const { now = () => new Date(), aws = {} } = options;
  const settings = readSettings(environment);
  const kubeConfig = new KubeConfig();
  if (settings.kubeconfig === null) kubeConfig.loadFromDefault();
  else kubeConfig.loadFromFile(settings.kubeconfig);
  if (settings.context !== null) kubeConfig.setCurrentContext(settings.context);
  return {
    cluster: kubernetesCluster({
      name: cluster,
      kubeConfig,
      namespaces: settings.namespaces,
      runtimeImages: settings.runtimeImages,
      now,
      warn: (message) => process.emitWarning(message),
    }),
    registry: ociRegistry({
      credentials: await readCredentials(settings.dockerConfig),
      insecureHosts: settings.insecureRegistries,
      now,
    }),
    executions: stepFunctionsExecutions({ client: new SFNClient(aws), stateMachineArn: settings.stateMachineArn }),
    events: eventBridgeEvents({ client: new EventBridgeClient(aws), busName: settings.eventBusName, now }),
    now,
  };
}
