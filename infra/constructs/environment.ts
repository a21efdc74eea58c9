import type { ClusterConfig, DigestsConfig, NodePoolsConfig, ProxyConfig, RegistriesConfig } from "../config-shape.ts";
import { commandDocumentName } from "./command-document.ts";
import { usesOf } from "./deployed.ts";
import { functionSpecs, type FunctionSpec, type HandlerName, type Use } from "./functions.ts";
import { pollNodeOptions } from "./node-options.ts";
import { certificatesFile, live, type MachineName } from "./names.ts";

export interface Surroundings {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  readonly machineArns: Readonly<Record<MachineName, string>>;
  readonly busName: string;
  /** The aliases of the functions that write down what a poll found; null while that is what is being made, or not at all. */
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
  /** The alias of `poll`. */
  readonly pollArn: string;
}

/** What a function is told, as `functions/settings.ts` reads it: names and places, and no more of them than it uses. */
export function environmentOf(handler: HandlerName, surroundings: Surroundings): Readonly<Record<string, string>> {
  const { cluster, registries, digests, proxy, machineArns, busName, pollArn } = surroundings;
  const { recordCheckArn, recordPoolArn } = surroundings;
  const { group }: FunctionSpec = functionSpecs[handler];
  const uses = usesOf(handler, cluster);
  return withoutEmpty({
    PAWL_CLUSTER: cluster.name,
    PAWL_STATE_MACHINE_ARN: uses.includes("executions") ? `${machineArns["workload-update"]}:${live}` : null,
    PAWL_EVENT_BUS_NAME: uses.includes("events") ? busName : null,
    ...(group === null ? {} : clusterEnvironment(cluster)),
    ...(uses.includes("registries") ? { ...registryEnvironment(registries), ...proxyEnvironment(proxy) } : {}),
    PAWL_DIGEST_BASELINE: uses.includes("registries") ? digests.baseline : null,
    // Whichever of them restarts.
    PAWL_DIGEST_PULL_POLICY: group === "pawl:updaters" ? digests.pullPolicy : null,
    PAWL_PROMETHEUS: uses.includes("prometheus") ? cluster.prometheus.join(",") : null,
    PAWL_RECORD_CHECK_FUNCTION: uses.includes("record-check") ? recordCheckArn : null,
    PAWL_POLL_FUNCTION: uses.includes("polls") ? pollArn : null,
    ...poolEnvironment(uses, cluster.nodePools),
    PAWL_POOL_MACHINE_ARN: uses.includes("pool-executions") ? `${machineArns["node-pool-rollout"]}:${live}` : null,
    PAWL_RECORD_POOL_FUNCTION: uses.includes("record-pool") ? recordPoolArn : null,
    PAWL_COMMAND_DOCUMENT: uses.includes("commands") ? commandDocumentName(cluster.name) : null,
    POWERTOOLS_METRICS_NAMESPACE: "Pawl",
    POWERTOOLS_SERVICE_NAME: handler,
    LOG_LEVEL: "INFO",
  });
}

function clusterEnvironment({ access, namespaces, runtimeImages }: ClusterConfig) {
  const images = Object.entries(runtimeImages).map(([runtime, repository]) => `${runtime}=${repository}`);
  const common = { PAWL_NAMESPACES: namespaces?.join(",") ?? null, PAWL_RUNTIME_IMAGES: images.join(",") };
  if (access.kind === "kubeconfig") {
    return { ...common, PAWL_KUBECONFIG_SECRET_ARN: access.secretArn, PAWL_CONTEXT: access.context };
  }
  return {
    ...common,
    PAWL_EKS_CLUSTER: access.clusterName,
    PAWL_EKS_REGION: access.region,
    PAWL_EKS_ENDPOINT: access.endpoint,
    PAWL_EKS_CA: access.certificateAuthority,
    PAWL_ASSUME_ROLE_ARN: access.assumeRoleArn,
  };
}

function registryEnvironment({ secretArn, insecureHosts, pullSecrets, certificateAuthority }: RegistriesConfig) {
  return {
    PAWL_REGISTRY_SECRET_ARN: secretArn,
    PAWL_INSECURE_REGISTRIES: insecureHosts.join(","),
    PAWL_ECR: "1",
    PAWL_PULL_SECRETS: pullSecrets ? "true" : null,
    NODE_OPTIONS: pollNodeOptions,
    NODE_EXTRA_CA_CERTS: certificateAuthority === null ? null : `/var/task/${certificatesFile}`,
  };
}

/** Whoever looks at a pool has to come to the same hash of its secret, or would ask its nodes anew and anew. */
function poolEnvironment(uses: readonly Use[], nodePools: NodePoolsConfig | null) {
  return {
    PAWL_NODE_POOLS: uses.includes("pools") ? "1" : null,
    PAWL_TAG_RESOLUTION_SECONDS: uses.includes("pools") ? String(nodePools?.tagResolutionSeconds ?? "") : null,
    PAWL_NODE_POOL_PULL_SECRETS: uses.includes("pool-secrets") ? "1" : null,
  };
}

/** Where Lambda's own runtime is asked for the next event: no proxy knows the way there. */
const ofLambda = ["localhost", "127.0.0.1", "169.254.100.1"];

/**
 * What registries are asked through a proxy by. The clients of AWS and of Kubernetes bring connections of their own, which
 * know of no environment.
 */
export function proxyEnvironment(proxy: ProxyConfig | null): Readonly<Record<string, string>> {
  if (proxy === null) return {};
  const { url, except } = proxy;
  return { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: [...ofLambda, ...except].join(",") };
}

function withoutEmpty(written: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  const told = Object.entries(written).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return Object.fromEntries(told);
}
