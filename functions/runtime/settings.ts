import { localHolderId } from "./claim-holder.ts";
import { parseAddress, parseRegion, type PrometheusAddress } from "../domain/analysis/address.ts";
import {
  list,
  parsedList,
  oneOf,
  atMostOne,
  pairs,
  readSwitch,
  type RegistryLogin,
  registryLogins,
} from "./env-readers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** How the functions reach their cluster. */
export type ClusterAccess =
  /** A kubeconfig file; null is the default of kubectl. */
  | { readonly kind: "file"; readonly path: string | null; readonly context: string | null }
  /** A Secrets Manager secret with a kubeconfig. */
  | { readonly kind: "secret"; readonly secretArn: string; readonly context: string | null }
  | {
      readonly kind: "eks";
      readonly clusterName: string;
      readonly region: string;
      /** null: DescribeCluster returns it at the first use. */
      readonly endpoint: string | null;
      /** PEM in base64; null: DescribeCluster returns it at the first use. */
      readonly certificateAuthority: string | null;
      /** A role in the cluster's account; null is the function's own role. */
      readonly assumeRoleArn: string | null;
    };

/** Source of the deployment's docker config.json. */
export type DockerConfigSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "secret"; readonly secretArn: string };

/** How workloads are updated if the digest of their tag changes. */
export interface DigestSettings {
  /** If a digest has never been recorded: restart the workload, or adopt the digests that its pods report. */
  readonly onFirstSeen: "restart" | "adopt";
  /** "Always": a restart also sets `imagePullPolicy: Always` on the containers that it updates. */
  readonly imagePullPolicy: "unchanged" | "Always";
}

export interface NodePoolSettings {
  /** How long the digest that a tag resolved to is cached. */
  readonly tagCacheSeconds: number;
  /** Whether polls evaluate node pools. */
  readonly enabled: boolean;
  /** Whether the pull secret of a pool is read, for its hash and its logins. */
  readonly usePullSecrets: boolean;
}

/** The configuration of the functions. It contains no secrets, only their ARNs. */
export interface Settings {
  /** Of `workload-update`; null if the function starts no executions. */
  readonly stateMachineArn: string | null;
  /** Who holds the claims that the function writes: the ARN of `workload-update`, or this process. */
  readonly claimHolder: string;
  /** Of `node-pool-rollout`; null if the function starts none. */
  readonly poolMachineArn: string | null;
  readonly nodePools: NodePoolSettings;
  /** The function that records what a poll found on a node pool; null records in the poll's own process. */
  readonly recordPoolFunction: string | null;
  /** The SSM document for commands to nodes without a daemon; null sends none. */
  readonly commandDocument: string | null;
  /** null if the function publishes no events. */
  readonly eventBusName: string | null;
  /** The function that records what a poll decided; null records in the poll's own process. */
  readonly recordCheckFunction: string | null;
  /** The poll's own function, which it invokes if one invocation is too short; null if there is none. */
  readonly pollFunction: string | null;
  readonly access: ClusterAccess;
  /** null is every namespace. */
  readonly namespaces: readonly string[] | null;
  /** `host[:port]` of registries that use plain HTTP. */
  readonly insecureRegistries: readonly string[];
  /** Patterns of repositories that may be requested (undefined: of every public registry), and that must not be. */
  readonly allowedRegistries: readonly string[] | undefined;
  readonly deniedRegistries: readonly string[] | undefined;
  /** null is anonymous. */
  readonly dockerConfig: DockerConfigSource | null;
  readonly registryLogins: readonly RegistryLogin[];
  /** Whether the function's role logs in to ECR registries. */
  readonly ecr: boolean;
  /** Whether the pull secrets of workloads are used to log in to registries. */
  readonly usePullSecrets: boolean;
  readonly digests: DigestSettings;
  /** Mirrors of the images of Claw runtimes: runtime to repository. */
  readonly runtimeImages: Readonly<Record<string, string>>;
  /** Every Prometheus that an analysis may query. The first is the default. */
  readonly prometheus: readonly PrometheusAddress[];
  /** Every region whose CloudWatch an analysis may query. The first is the default. */
  readonly cloudWatchRegions: readonly string[];
  /** The CloudWatch namespace. */
  readonly metricsNamespace: string;
}

/** Lists every variable that is missing or invalid. */
export class SettingsInvalid extends Error {
  override readonly name = "SettingsInvalid";
}

/** Reads the environment; an empty variable counts as not set. Throws `SettingsInvalid` with all problems. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const settings: Settings = {
    stateMachineArn: environment["PAWL_STATE_MACHINE_ARN"] || null,
    claimHolder: environment["PAWL_CLAIM_HOLDER"] || localHolderId,
    poolMachineArn: environment["PAWL_POOL_MACHINE_ARN"] || null,
    nodePools: readNodePools(environment, problems),
    recordPoolFunction: environment["PAWL_RECORD_POOL_FUNCTION"] || null,
    commandDocument: environment["PAWL_COMMAND_DOCUMENT"] || null,
    eventBusName: environment["PAWL_EVENT_BUS_NAME"] || null,
    recordCheckFunction: environment["PAWL_RECORD_CHECK_FUNCTION"] || null,
    pollFunction: environment["PAWL_POLL_FUNCTION"] || null,
    access: readAccess(environment, problems),
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
    runtimeImages: pairs(environment["PAWL_RUNTIME_IMAGES"], problems),
    prometheus: parsedList("PAWL_PROMETHEUS", environment, parseAddress, problems),
    cloudWatchRegions: parsedList("PAWL_CLOUDWATCH_REGIONS", environment, parseRegion, problems).map(
      ({ name }) => name,
    ),
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

/** Returns a setting that this function requires. Throws `SettingsInvalid` if it is not set. */
export function requireSetting(value: string | null, variable: string): string {
  if (value === null) throw new SettingsInvalid(`${variable} is not set`);
  return value;
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
  };
}

function readDockerConfig(environment: Environment, problems: string[]): DockerConfigSource | null {
  const secretArn = environment["PAWL_REGISTRY_SECRET_ARN"] || null;
  const path = environment["PAWL_DOCKER_CONFIG"] || null;
  atMostOne({ PAWL_REGISTRY_SECRET_ARN: secretArn, PAWL_DOCKER_CONFIG: path }, problems);
  if (secretArn !== null) return { kind: "secret", secretArn };
  return path === null ? null : { kind: "file", path };
}
