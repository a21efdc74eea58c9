import type { RuleScope } from "../domain/signature/rule.ts";
import type { ClusterSwitches } from "../domain/cluster/switches.ts";
import type { DailyDigest } from "../domain/notification/daily-digest.ts";
import type { LimitSettings } from "../domain/budget/limits.ts";
import type { Freeze } from "../domain/gates/freeze.ts";
import type { PolicyDefaults } from "../domain/workload/policy/defaults.ts";
import type { GitSettings } from "./read-git-settings.ts";
import type { RegistryLogin } from "./env-readers.ts";
import type { MetricProviderSettings } from "./read-metric-providers.ts";

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
      /** What the trust policy of that role may require. */
      readonly externalId: string | null;
    };

/** Another cluster, whose workloads are read only. */
export interface Peer {
  readonly name: string;
  readonly access: ClusterAccess;
}

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
export interface Settings extends ClusterSwitches {
  /** Of `workload-update`; null if the function starts no executions. */
  readonly stateMachineArn: string | null;
  /** Who holds the claims that the function writes: the ARN of `workload-update`, or this process. */
  readonly claimHolder: string;
  /** The longest time between two polls by the schedule; null if it is not known. */
  readonly longestPollGapSeconds: number | null;
  /** Of `node-pool-rollout`; null if the function starts none. */
  readonly poolMachineArn: string | null;
  readonly nodePools: NodePoolSettings;
  /** The function that records what a poll found on a node pool; null records in the poll's own process. */
  readonly recordPoolFunction: string | null;
  /** The SSM document for commands to nodes without a daemon; null sends none. */
  readonly commandDocument: string | null;
  /** The targets of notifications; null if the function notifies none. */
  readonly notificationsFile: string | null;
  /** The names of the targets; null if they are not known. */
  readonly notificationTargets: readonly string[] | null;
  /** The targets that get a daily digest. */
  readonly dailyDigests: readonly DailyDigest[];
  readonly limits: LimitSettings;
  /** Those that the deployment orders. */
  readonly freezes: readonly Freeze[];
  /** Names or ARNs of calendars of AWS Systems Manager. */
  readonly changeCalendars: readonly string[];
  /** The repositories that name images. */
  readonly git: readonly GitSettings[];
  /** What the deployment says about policies. */
  readonly defaults: readonly PolicyDefaults[];
  /** null if the function publishes no events. */
  readonly eventBusName: string | null;
  /** The function that records what a poll decided; null records in the poll's own process. */
  readonly recordCheckFunction: string | null;
  /** Of `poll-fanout`; null if the function starts none. */
  readonly fanOutMachineArn: string | null;
  /** The S3 bucket of work lists; null if the function uses none. */
  readonly workBucket: string | null;
  readonly access: ClusterAccess;
  /** The other clusters whose workloads may be read. */
  readonly peers: readonly Peer[];
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
  /** Every address that an analysis may query. */
  readonly metricProviders: MetricProviderSettings;
  /** The file of the rules of signatures; null if there are none, or another function has them. */
  readonly verifyFile: string | null;
  /** The function that verifies images; null if there is none. */
  readonly verifyFunction: string | null;
  /** What the rules of that function are for. */
  readonly verifyScopes: readonly RuleScope[];
  /** When the oldest trusted root of the rules was downloaded; null if they have none. */
  readonly oldestRoot: Date | null;
  /** The CloudWatch namespace. */
  readonly metricsNamespace: string;
  /** Whether Kubernetes namespaces are a dimension of metrics. */
  readonly namespaceMetrics: boolean;
}

/** Lists every variable that is missing or invalid. */
export class SettingsInvalid extends Error {
  override readonly name = "SettingsInvalid";
}

/** Returns a setting that this function requires. Throws `SettingsInvalid` if it is not set. */
export function requireSetting(value: string | null, variable: string): string {
  if (value === null) throw new SettingsInvalid(`${variable} is not set`);
  return value;
}
