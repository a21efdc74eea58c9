import { digestsOf } from "../../../functions/domain/notification/target.ts";
import { switchEnvironment } from "../../../functions/domain/cluster/switches.ts";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type {
  ClusterConfig,
  DigestsConfig,
  GatesConfig,
  LimitsConfig,
  NodePoolsConfig,
  NotificationConfig,
  ProxyConfig,
  RegistriesConfig,
} from "../../config/schema.ts";
import { commandDocumentName } from "../access/command-document.ts";
import { capabilitiesOf, usesWorkLists } from "./function-specs.ts";
import { queryProviders } from "../../../functions/domain/analysis/providers/providers.ts";
import { longestGapSeconds } from "../../config/schedule/schedule-gaps.ts";
import { gateVariables, gitVariable, limitsVariable } from "../../config/gate-environment.ts";
import { addressesWithLogins } from "../../config/metric-providers.ts";
import { limitsFor } from "./function-limits.ts";
import type { FunctionSpec, Capability } from "./function-spec.ts";
import { functionSpecs, type HandlerName } from "./function-specs.ts";
import { layerPath } from "./files-layer.ts";
import { oldestRootDate, scopesOf } from "../../config/compile-verify.ts";
import { metricNamespace } from "../../config/metric-namespace.ts";
import { pollNodeOptions, pollProcess } from "./node-options.ts";
import { certificatesFile, live, type MachineName, verifyFile } from "../resource-names.ts";

export interface EnvironmentContext {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly notifications: readonly NotificationConfig[];
  readonly proxy: ProxyConfig | null;
  readonly namespaceMetrics: boolean;
  readonly limits: LimitsConfig;
  readonly gates: GatesConfig;
  readonly machineArns: Readonly<Record<MachineName, string>>;
  readonly busName: string;
  /** The aliases of the functions that record the results of a poll; null until they are created, or if they are not. */
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
  /** The alias of the function that verifies images; null if there is none. */
  readonly verifyArn: string | null;
  /** Of work lists. */
  readonly workBucket: IBucket;
}

/** Returns the environment of a function, as `functions/runtime/read-settings.ts` reads it, with only the variables that it uses. */
export function buildEnvironment(handler: HandlerName, context: EnvironmentContext): Readonly<Record<string, string>> {
  const { cluster, registries, digests, notifications, proxy, machineArns, busName } = context;
  const { recordCheckArn, recordPoolArn, verifyArn } = context;
  const { group, feature }: FunctionSpec = functionSpecs[handler];
  const capabilities = capabilitiesOf(handler, cluster);
  return omitEmpty({
    PAWL_CLUSTER: cluster.name,
    PAWL_STATE_MACHINE_ARN: capabilities.includes("executions") ? `${machineArns["workload-update"]}:${live}` : null,
    PAWL_EVENT_BUS_NAME: capabilities.includes("events") ? busName : null,
    // Without the alias: the claims of one installation are its own, whatever starts its executions.
    PAWL_CLAIM_HOLDER: group === null || feature === "node-pools" ? null : machineArns["workload-update"],
    PAWL_LONGEST_POLL_GAP: handler === "record-check" ? longestGap(cluster) : null,
    ...(group === null
      ? {}
      : { ...clusterEnvironment(cluster), ...switchEnvironment(cluster, capabilities.includes("polls")) }),
    ...(capabilities.includes("registries") ? registryEnvironment(registries) : {}),
    ...(capabilities.includes("registries") || capabilities.includes("git") ? proxyEnvironment(proxy) : {}),
    PAWL_DIGEST_ON_FIRST_SEEN: capabilities.includes("registries") ? digests.onFirstSeen : null,
    // Any of the updaters may restart a workload.
    PAWL_DIGEST_IMAGE_PULL_POLICY: group === "pawl:updaters" ? digests.imagePullPolicy : null,
    ...(needsProviders(capabilities) ? providerEnvironment(cluster) : {}),
    PAWL_METRIC_LOGINS: capabilities.includes("metric-providers") ? metricLogins(cluster) : null,
    PAWL_RECORD_CHECK_FUNCTION: capabilities.includes("record-check") ? recordCheckArn : null,
    PAWL_VERIFY_FUNCTION: capabilities.includes("verify") ? verifyArn : null,
    PAWL_VERIFY_SCOPES: capabilities.includes("verify") ? JSON.stringify(scopesOf(cluster.verify)) : null,
    PAWL_TRUSTED_ROOT_DATE: capabilities.includes("polls") ? oldestRootDate(cluster.verify) : null,
    PAWL_VERIFY_FILE: capabilities.includes("verify-rules") ? layerPath(verifyFile) : null,
    PAWL_NOTIFICATION_TARGETS: capabilities.includes("polls") ? targetNames(notifications) : null,
    PAWL_DAILY_DIGESTS: capabilities.includes("polls") ? digestsVariable(notifications) : null,
    PAWL_NAMESPACE_METRICS: capabilities.includes("polls") && context.namespaceMetrics ? "true" : null,
    PAWL_LIMITS: limitsVariable(limitsFor(handler, capabilities, context.limits)),
    ...(group === null || (feature === "node-pools" && !capabilities.includes("calendars"))
      ? {}
      : gateVariables(context.gates)),
    PAWL_GIT:
      group === null || feature === "node-pools" ? null : gitVariable(cluster.git, capabilities.includes("git")),
    PAWL_CHANGE_CALENDARS: capabilities.includes("calendars") ? context.gates.changeCalendars.join(",") : null,
    PAWL_PEERS: capabilities.includes("peers") ? peersVariable(cluster) : null,
    PAWL_FANOUT_MACHINE: capabilities.includes("fan-out") ? machineArns["poll-fanout"] : null,
    PAWL_WORK_BUCKET: usesWorkLists(capabilities) ? context.workBucket.bucketName : null,
    ...poolEnvironment(capabilities, cluster.nodePools),
    PAWL_POOL_MACHINE_ARN: capabilities.includes("pool-executions")
      ? `${machineArns["node-pool-rollout"]}:${live}`
      : null,
    PAWL_RECORD_POOL_FUNCTION: capabilities.includes("record-pool") ? recordPoolArn : null,
    PAWL_COMMAND_DOCUMENT: capabilities.includes("commands") ? commandDocumentName(cluster) : null,
    POWERTOOLS_METRICS_NAMESPACE: metricNamespace(cluster),
    POWERTOOLS_SERVICE_NAME: handler,
    LOG_LEVEL: "INFO",
  });
}

function longestGap({ poll }: ClusterConfig): string | null {
  const seconds = poll.enabled ? longestGapSeconds(poll.expression, poll.timeZone) : null;
  return seconds === null ? null : String(seconds);
}

/** A comma alone is no target: a workload that names one has a problem. */
function targetNames(notifications: readonly NotificationConfig[]): string {
  return notifications.flatMap((one) => (one.kind === "sns" ? [] : [one.name])).join(",") || ",";
}

function digestsVariable(notifications: readonly NotificationConfig[]): string | null {
  const digests = digestsOf(notifications.filter((one) => one.kind !== "sns"));
  return digests.length === 0 ? null : JSON.stringify(digests);
}

function needsProviders(capabilities: readonly Capability[]): boolean {
  return capabilities.includes("metric-providers") || capabilities.includes("analyses");
}

function providerEnvironment(cluster: ClusterConfig) {
  const entries = Object.values(queryProviders).map(({ setting }) => {
    return [setting.variable, cluster[setting.name].map(({ address }) => address).join(",")] as const;
  });
  return Object.fromEntries(entries);
}

function metricLogins(cluster: ClusterConfig): string | null {
  const logins = addressesWithLogins(cluster);
  return logins.length === 0 ? null : JSON.stringify(logins);
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
    PAWL_EXTERNAL_ID: access.externalId,
  };
}

function peersVariable({ peers }: ClusterConfig): string {
  return JSON.stringify(
    peers.map(({ name, access }) => ({
      name,
      access: access.kind === "kubeconfig" ? { ...access, kind: "secret" } : access,
    })),
  );
}

function registryEnvironment(registries: RegistriesConfig) {
  const { secretArn, logins, insecureHosts, allowed, denied, usePullSecrets, certificateAuthority } = registries;
  return {
    PAWL_REGISTRY_SECRET_ARN: secretArn,
    PAWL_REGISTRY_LOGINS: logins.length === 0 ? null : JSON.stringify(logins),
    PAWL_INSECURE_REGISTRIES: insecureHosts.join(","),
    PAWL_ALLOWED_REGISTRIES: allowed.join(","),
    PAWL_DENIED_REGISTRIES: denied.join(","),
    PAWL_ECR: "1",
    PAWL_USE_PULL_SECRETS: usePullSecrets ? "true" : null,
    NODE_OPTIONS: pollNodeOptions,
    ...pollProcess,
    NODE_EXTRA_CA_CERTS: certificateAuthority === null ? null : layerPath(certificatesFile),
  };
}

/** All functions that observe a pool need the same hash of its secret; otherwise its nodes would be updated repeatedly. */
function poolEnvironment(capabilities: readonly Capability[], nodePools: NodePoolsConfig | null) {
  return {
    PAWL_NODE_POOLS: capabilities.includes("pools") ? "1" : null,
    PAWL_TAG_CACHE_SECONDS: capabilities.includes("pools") ? String(nodePools?.tagCacheSeconds ?? "") : null,
    PAWL_NODE_POOL_USE_PULL_SECRETS: capabilities.includes("pool-secrets") ? "1" : null,
  };
}

/** The addresses of Lambda's runtime API, which no proxy can reach. */
const lambdaHosts = ["localhost", "127.0.0.1", "169.254.100.1"];

/**
 * Returns the variables with which registries, and GitHub, are requested through a proxy. The clients of AWS and Kubernetes ignore
 * them, because they create their own connections.
 */
export function proxyEnvironment(proxy: ProxyConfig | null): Readonly<Record<string, string>> {
  if (proxy === null) return {};
  const { url, noProxy } = proxy;
  return { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: [...lambdaHosts, ...noProxy].join(",") };
}

function omitEmpty(variables: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  const entries = Object.entries(variables).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return Object.fromEntries(entries);
}
