import type { PrometheusAddress } from "./domain/analysis/address.ts";
import { addresses, list, oneOf, onlyOne, pairs, readSwitch } from "./setting-readers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** How the functions get into their cluster. */
export type ClusterAccess =
  /** A file; null looks where kubectl looks. */
  | { readonly kind: "file"; readonly path: string | null; readonly context: string | null }
  /** A secret that holds a kubeconfig. */
  | { readonly kind: "secret"; readonly secretArn: string; readonly context: string | null }
  | {
      readonly kind: "eks";
      readonly clusterName: string;
      readonly region: string;
      /** null asks EKS at the first use, and so it is with the certificate authority (base64 PEM). */
      readonly endpoint: string | null;
      readonly certificateAuthority: string | null;
      /** A role in the cluster's account; null is the function's own. */
      readonly assumeRoleArn: string | null;
    };

/** Where the docker config.json of the deployment is. */
export type DockerConfigSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "secret"; readonly secretArn: string };

/** How workloads are kept at the digest behind their tag. */
export interface DigestSettings {
  /** What is done at first sight: a restart, or what its pods report is taken as the baseline. */
  readonly baseline: "restart" | "running";
  /** "always": a restart also has the containers that it is about pull their images always. */
  readonly pullPolicy: "keep" | "always";
}

/** How node pools are kept. */
export interface NodePoolSettings {
  /** How long what a tag stands for is taken for granted. */
  readonly tagResolutionSeconds: number;
  /** Whether polls look at them. */
  readonly areOn: boolean;
  /** Whether the pull secret that a pool names is read, for its hash. */
  readonly pullSecrets: boolean;
}

/** What the functions are told by their environment. No secret stands in it: only where one is to be found. */
export interface Settings {
  /** null where the function starts no executions. */
  readonly stateMachineArn: string | null;
  /** Of the machine of node pools; null where the function starts none of these. */
  readonly poolMachineArn: string | null;
  readonly nodePools: NodePoolSettings;
  /** The function that writes down what a poll saw of a node pool; null writes it in the poll itself. */
  readonly recordPoolFunction: string | null;
  /** The document of SSM by which nodes without a daemon are commanded; null commands none. */
  readonly commandDocument: string | null;
  /** null where the function tells nobody of anything. */
  readonly eventBusName: string | null;
  /** The function that writes down what a poll decided; null writes it where it is decided. */
  readonly recordCheckFunction: string | null;
  /** The poll's own function, where it goes on with what is too much for one invocation; null has no such function. */
  readonly pollFunction: string | null;
  readonly access: ClusterAccess;
  /** null is every namespace. */
  readonly namespaces: readonly string[] | null;
  /** `host[:port]` of registries that are spoken to over plain HTTP. */
  readonly insecureRegistries: readonly string[];
  /** null is anonymous. */
  readonly dockerConfig: DockerConfigSource | null;
  /** Whether registries of ECR are logged in to by the function's role. */
  readonly ecr: boolean;
  /** Whether a registry is shown the pull secrets of the workload too. */
  readonly pullSecrets: boolean;
  readonly digests: DigestSettings;
  /** Where the images of Claw runtimes are mirrored: runtime to repository. */
  readonly runtimeImages: Readonly<Record<string, string>>;
  /** Every Prometheus that an analysis may ask; the first is asked where an analysis names none. */
  readonly prometheus: readonly PrometheusAddress[];
  /** CloudWatch's. */
  readonly metricsNamespace: string;
}

/** Says every variable that is missing or cannot be read. */
export class SettingsInvalid extends Error {
  override readonly name = "SettingsInvalid";
}

/** Reads the environment; what is empty is not set. Throws `SettingsInvalid` with all of its problems at once. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const settings: Settings = {
    stateMachineArn: environment["PAWL_STATE_MACHINE_ARN"] || null,
    poolMachineArn: environment["PAWL_POOL_MACHINE_ARN"] || null,
    nodePools: nodePoolsOf(environment, problems),
    recordPoolFunction: environment["PAWL_RECORD_POOL_FUNCTION"] || null,
    commandDocument: environment["PAWL_COMMAND_DOCUMENT"] || null,
    eventBusName: environment["PAWL_EVENT_BUS_NAME"] || null,
    recordCheckFunction: environment["PAWL_RECORD_CHECK_FUNCTION"] || null,
    pollFunction: environment["PAWL_POLL_FUNCTION"] || null,
    access: accessOf(environment, problems),
    namespaces: list(environment["PAWL_NAMESPACES"]),
    insecureRegistries: list(environment["PAWL_INSECURE_REGISTRIES"]) ?? [],
    dockerConfig: dockerConfigOf(environment, problems),
    ecr: readSwitch("PAWL_ECR", environment["PAWL_ECR"], problems),
    pullSecrets: readSwitch("PAWL_PULL_SECRETS", environment["PAWL_PULL_SECRETS"], problems),
    digests: {
      baseline: oneOf("PAWL_DIGEST_BASELINE", environment["PAWL_DIGEST_BASELINE"], ["restart", "running"], problems),
      pullPolicy: oneOf(
        "PAWL_DIGEST_PULL_POLICY",
        environment["PAWL_DIGEST_PULL_POLICY"],
        ["keep", "always"],
        problems,
      ),
    },
    runtimeImages: pairs(environment["PAWL_RUNTIME_IMAGES"], problems),
    prometheus: addresses(environment["PAWL_PROMETHEUS"], problems),
    metricsNamespace: environment["POWERTOOLS_METRICS_NAMESPACE"] || "Pawl",
  };
  if (problems.length > 0) throw new SettingsInvalid(problems.join("; "));
  return settings;
}

const usualResolutionSeconds = 300;

function nodePoolsOf(environment: Environment, problems: string[]): NodePoolSettings {
  const written = environment["PAWL_TAG_RESOLUTION_SECONDS"] || `${usualResolutionSeconds}`;
  if (!/^[1-9]\d{0,8}$/.test(written)) {
    problems.push(`PAWL_TAG_RESOLUTION_SECONDS "${written}": write a whole number of seconds, 1 or more`);
  }
  const pullSecrets = readSwitch("PAWL_NODE_POOL_PULL_SECRETS", environment["PAWL_NODE_POOL_PULL_SECRETS"], problems);
  const areOn = readSwitch("PAWL_NODE_POOLS", environment["PAWL_NODE_POOLS"], problems);
  return { areOn, tagResolutionSeconds: Number(written), pullSecrets };
}

/** A setting that this function cannot do without. Throws `SettingsInvalid`. */
export function needed(value: string | null, variable: string): string {
  if (value === null) throw new SettingsInvalid(`${variable} is not set`);
  return value;
}

function accessOf(environment: Environment, problems: string[]): ClusterAccess {
  const clusterName = environment["PAWL_EKS_CLUSTER"] || null;
  const secretArn = environment["PAWL_KUBECONFIG_SECRET_ARN"] || null;
  const path = environment["PAWL_KUBECONFIG"] || null;
  const context = environment["PAWL_CONTEXT"] || null;
  onlyOne({ PAWL_EKS_CLUSTER: clusterName, PAWL_KUBECONFIG_SECRET_ARN: secretArn, PAWL_KUBECONFIG: path }, problems);
  if (clusterName !== null) return eksOf(clusterName, environment, problems);
  return secretArn === null ? { kind: "file", path, context } : { kind: "secret", secretArn, context };
}

function eksOf(clusterName: string, environment: Environment, problems: string[]): ClusterAccess {
  const region = environment["PAWL_EKS_REGION"] || environment["AWS_REGION"] || "";
  const endpoint = environment["PAWL_EKS_ENDPOINT"] || null;
  if (region === "") problems.push("PAWL_EKS_REGION is not set, and neither is AWS_REGION");
  if (endpoint !== null && !URL.canParse(endpoint)) problems.push(`PAWL_EKS_ENDPOINT "${endpoint}" is no URL`);
  return {
    kind: "eks",
    clusterName,
    region,
    endpoint,
    certificateAuthority: environment["PAWL_EKS_CA"] || null,
    assumeRoleArn: environment["PAWL_ASSUME_ROLE_ARN"] || null,
  };
}

function dockerConfigOf(environment: Environment, problems: string[]): DockerConfigSource | null {
  const secretArn = environment["PAWL_REGISTRY_SECRET_ARN"] || null;
  const path = environment["PAWL_DOCKER_CONFIG"] || null;
  onlyOne({ PAWL_REGISTRY_SECRET_ARN: secretArn, PAWL_DOCKER_CONFIG: path }, problems);
  if (secretArn !== null) return { kind: "secret", secretArn };
  return path === null ? null : { kind: "file", path };
}
