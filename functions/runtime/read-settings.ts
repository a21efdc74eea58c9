import { mapSwitches } from "../domain/cluster/switches.ts";
import { localHolderId } from "./claim-holder.ts";
import { list, oneOf, atMostOne, pairs, readDate, readSwitch, registryLogins, ruleScopes } from "./env-readers.ts";
import { readDefaultsSetting, readDigestsSetting, readFreezeSetting } from "./read-gate-settings.ts";
import { readPeers } from "./read-peers.ts";
import { readGitSettings } from "./read-git-settings.ts";
import { readLimits } from "./read-limits.ts";
import { readMetricProviders } from "./read-metric-providers.ts";
import {
  type ClusterAccess,
  type DockerConfigSource,
  type Environment,
  type NodePoolSettings,
  type Settings,
  SettingsInvalid,
} from "./settings.ts";

/** Reads the environment; an empty variable counts as not set. Throws `SettingsInvalid` with all problems. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const settings: Settings = {
    stateMachineArn: environment["PAWL_STATE_MACHINE_ARN"] || null,
    claimHolder: environment["PAWL_CLAIM_HOLDER"] || localHolderId,
    longestPollGapSeconds: Number(environment["PAWL_LONGEST_POLL_GAP"] || 0) || null,
    poolMachineArn: environment["PAWL_POOL_MACHINE_ARN"] || null,
    nodePools: readNodePools(environment, problems),
    recordPoolFunction: environment["PAWL_RECORD_POOL_FUNCTION"] || null,
    commandDocument: environment["PAWL_COMMAND_DOCUMENT"] || null,
    notificationsFile: environment["PAWL_NOTIFICATIONS_FILE"] || null,
    notificationTargets: environment["PAWL_NOTIFICATION_TARGETS"]
      ? (list(environment["PAWL_NOTIFICATION_TARGETS"]) ?? [])
      : null,
    dailyDigests: readDigestsSetting(environment["PAWL_DAILY_DIGESTS"], problems),
    limits: readLimits(environment["PAWL_LIMITS"], problems),
    freezes: readFreezeSetting(environment["PAWL_FREEZE"], problems),
    changeCalendars: list(environment["PAWL_CHANGE_CALENDARS"]) ?? [],
    git: readGitSettings(environment["PAWL_GIT"], problems),
    defaults: readDefaultsSetting(environment["PAWL_DEFAULTS"], problems),
    eventBusName: environment["PAWL_EVENT_BUS_NAME"] || null,
    recordCheckFunction: environment["PAWL_RECORD_CHECK_FUNCTION"] || null,
    fanOutMachineArn: environment["PAWL_FANOUT_MACHINE"] || null,
    workBucket: environment["PAWL_WORK_BUCKET"] || null,
    access: readAccess(environment, problems),
    peers: readPeers(environment["PAWL_PEERS"], problems),
    namespaces: list(environment["PAWL_NAMESPACES"]),
    insecureRegistries: list(environment["PAWL_INSECURE_REGISTRIES"]) ?? [],
    allowedRegistries: list(environment["PAWL_ALLOWED_REGISTRIES"]) ?? undefined,
    deniedRegistries: list(environment["PAWL_DENIED_REGISTRIES"]) ?? undefined,
    dockerConfig: readDockerConfig(environment, problems),
    registryLogins: registryLogins(environment["PAWL_REGISTRY_LOGINS"], problems),
    ecr: readSwitch("PAWL_ECR", environment["PAWL_ECR"], problems),
    usePullSecrets: readSwitch("PAWL_USE_PULL_SECRETS", environment["PAWL_USE_PULL_SECRETS"], problems),
    digests: {
      onFirstSeen: oneOf(
        "PAWL_DIGEST_ON_FIRST_SEEN",
        environment["PAWL_DIGEST_ON_FIRST_SEEN"],
        ["restart", "adopt"],
        problems,
      ),
      imagePullPolicy: oneOf(
        "PAWL_DIGEST_IMAGE_PULL_POLICY",
        environment["PAWL_DIGEST_IMAGE_PULL_POLICY"],
        ["unchanged", "Always"],
        problems,
      ),
    },
    ...mapSwitches(({ variable }) => readSwitch(variable, environment[variable], problems)),
    namespaceMetrics: readSwitch("PAWL_NAMESPACE_METRICS", environment["PAWL_NAMESPACE_METRICS"], problems),
    runtimeImages: pairs(environment["PAWL_RUNTIME_IMAGES"], problems),
    metricProviders: readMetricProviders(environment, problems),
    verifyFile: environment["PAWL_VERIFY_FILE"] || null,
    verifyFunction: environment["PAWL_VERIFY_FUNCTION"] || null,
    verifyScopes: ruleScopes(environment["PAWL_VERIFY_SCOPES"], problems),
    oldestRoot: readDate("PAWL_TRUSTED_ROOT_DATE", environment["PAWL_TRUSTED_ROOT_DATE"], problems),
    metricsNamespace: environment["POWERTOOLS_METRICS_NAMESPACE"] || "Pawl",
  };
  if (problems.length > 0) throw new SettingsInvalid(problems.join("; "));
  return settings;
}

const defaultTagCacheSeconds = 300;

function readNodePools(environment: Environment, problems: string[]): NodePoolSettings {
  const seconds = environment["PAWL_TAG_CACHE_SECONDS"] || `${defaultTagCacheSeconds}`;
  if (!/^[1-9]\d{0,8}$/.test(seconds)) {
    problems.push(`PAWL_TAG_CACHE_SECONDS "${seconds}" is invalid; use a whole number of seconds, 1 or more`);
  }
  const pullSecrets = "PAWL_NODE_POOL_USE_PULL_SECRETS";
  const usePullSecrets = readSwitch(pullSecrets, environment[pullSecrets], problems);
  const enabled = readSwitch("PAWL_NODE_POOLS", environment["PAWL_NODE_POOLS"], problems);
  return { enabled, tagCacheSeconds: Number(seconds), usePullSecrets };
}

function readAccess(environment: Environment, problems: string[]): ClusterAccess {
  const clusterName = environment["PAWL_EKS_CLUSTER"] || null;
  const secretArn = environment["PAWL_KUBECONFIG_SECRET_ARN"] || null;
  const path = environment["PAWL_KUBECONFIG"] || null;
  const context = environment["PAWL_CONTEXT"] || null;
  atMostOne({ PAWL_EKS_CLUSTER: clusterName, PAWL_KUBECONFIG_SECRET_ARN: secretArn, PAWL_KUBECONFIG: path }, problems);
  if (clusterName !== null) return readEks(clusterName, environment, problems);
  return secretArn === null ? { kind: "file", path, context } : { kind: "secret", secretArn, context };
}

function readEks(clusterName: string, environment: Environment, problems: string[]): ClusterAccess {
  const region = environment["PAWL_EKS_REGION"] || environment["AWS_REGION"] || "";
  const endpoint = environment["PAWL_EKS_ENDPOINT"] || null;
  if (region === "") problems.push("PAWL_EKS_REGION and AWS_REGION are not set; set one of them");
  if (endpoint !== null && !URL.canParse(endpoint)) problems.push(`PAWL_EKS_ENDPOINT "${endpoint}" is not a URL`);
  return {
    kind: "eks",
    clusterName,
    region,
    endpoint,
    certificateAuthority: environment["PAWL_EKS_CA"] || null,
    assumeRoleArn: environment["PAWL_ASSUME_ROLE_ARN"] || null,
    externalId: environment["PAWL_EXTERNAL_ID"] || null,
  };
}

function readDockerConfig(environment: Environment, problems: string[]): DockerConfigSource | null {
  const secretArn = environment["PAWL_REGISTRY_SECRET_ARN"] || null;
  const path = environment["PAWL_DOCKER_CONFIG"] || null;
  atMostOne({ PAWL_REGISTRY_SECRET_ARN: secretArn, PAWL_DOCKER_CONFIG: path }, problems);
  if (secretArn !== null) return { kind: "secret", secretArn };
  return path === null ? null : { kind: "file", path };
}
