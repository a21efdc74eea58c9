import type { ClusterConfig, DigestsConfig, ProxyConfig, RegistriesConfig } from "../config-shape.ts";
import { functionSpecs, type FunctionSpec, type HandlerName } from "./functions.ts";
import { pollNodeOptions } from "./node-options.ts";
import { certificatesFile, live } from "./names.ts";

export interface Surroundings {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  readonly machineArn: string;
  readonly busName: string;
  /** The alias of `record-check`; null while that is what is being made. */
  readonly recordCheckArn: string | null;
  /** The alias of `poll`. */
  readonly pollArn: string;
}

/** What a function is told, as `functions/settings.ts` reads it: names and places, and no more of them than it uses. */
export function environmentOf(handler: HandlerName, surroundings: Surroundings): Readonly<Record<string, string>> {
  const { cluster, registries, digests, proxy, machineArn, busName, recordCheckArn, pollArn } = surroundings;
  const { group, uses }: FunctionSpec = functionSpecs[handler];
  return withoutEmpty({
    PAWL_CLUSTER: cluster.name,
    PAWL_STATE_MACHINE_ARN: uses.includes("executions") ? `${machineArn}:${live}` : null,
    PAWL_EVENT_BUS_NAME: uses.includes("events") ? busName : null,
    ...(group === null ? {} : clusterEnvironment(cluster)),
    ...(uses.includes("registries") ? { ...registryEnvironment(registries), ...proxyEnvironment(proxy) } : {}),
    PAWL_DIGEST_BASELINE: uses.includes("registries") ? digests.baseline : null,
    // Whichever of them restarts.
    PAWL_DIGEST_PULL_POLICY: group === "pawl:updaters" ? digests.pullPolicy : null,
    PAWL_PROMETHEUS: uses.includes("prometheus") ? cluster.prometheus.join(",") : null,
    PAWL_RECORD_CHECK_FUNCTION: uses.includes("record-check") ? recordCheckArn : null,
    PAWL_POLL_FUNCTION: uses.includes("polls") ? pollArn : null,
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
