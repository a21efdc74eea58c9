import type { NotificationProps } from "./notifications.ts";
import type { VerifyRuleProps } from "./verify.ts";

/** A secret with the logins of registries that only some workloads use. */
export interface RegistryLoginProps {
  /** The complete ARN of a secret that contains a docker `config.json`. */
  readonly secretArn: string;
  /** @default workloads in all namespaces */
  readonly namespaces?: readonly string[] | null | undefined;
  /**
   * Repositories as `host[:port][/path]`.
   * @default all that the secret has a login for
   */
  readonly repositories?: readonly string[] | null | undefined;
}

/** What a namespace may use in one poll while others wait. */
export interface NamespaceLimitsProps {
  /** @default 2000 */
  readonly requests?: number | undefined;
  /** @default 200 */
  readonly names?: number | undefined;
  /** @default 10000 */
  readonly cpuMilliseconds?: number | undefined;
}

/** Times are dates, times in `timeZone`, or times with Z or an offset. */
export interface FreezeProps {
  /** Why: every workload that waits shows it. */
  readonly reason: string;
  /** @default since ever */
  readonly from?: string | null | undefined;
  /** @default without an end */
  readonly to?: string | null | undefined;
  /** @default UTC */
  readonly timeZone?: string | null | undefined;
  /** Who ordered it. */
  readonly by?: string | null | undefined;
  /**
   * Updates of images that began before it are reverted, if not all replicas are ready.
   * @default false
   */
  readonly rollBack?: boolean | null | undefined;
  /** @default all namespaces */
  readonly namespaces?: readonly string[] | null | undefined;
}

export interface PolicyDefaultsProps {
  /**
   * Globs, in which * is any text.
   * @default all namespaces
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Of this value and that of the owner of a workload, the stricter counts.
   * @default false
   */
  readonly enforced?: boolean | undefined;
  readonly policy: Readonly<Record<string, unknown>>;
}

/** What is requested of AWS, each second. */
export interface AwsRatesProps {
  /** @default 10 */
  readonly startsPerSecond?: number | undefined;
  /** @default 1 */
  readonly describesPerSecond?: number | undefined;
  /** @default 20 */
  readonly eventsPerSecond?: number | undefined;
}

export interface LimitsProps {
  /** Of each cluster of a `Pawl`. `createPawlStacks` divides it by the number of clusters in an account and region. */
  readonly aws?: AwsRatesProps | undefined;
  /** Of each namespace. */
  readonly namespace?: NamespaceLimitsProps | undefined;
  /** Of some namespaces, by name. */
  readonly overrides?: Readonly<Record<string, NamespaceLimitsProps>> | undefined;
}

/** The registries of images. Without settings: ECR of the stack's account with the role of the poll, all others anonymously. */
export interface RegistriesProps {
  /**
   * The complete ARN of a secret that contains a docker `config.json`, for workloads in all namespaces.
   * @default anonymous access
   */
  readonly secretArn?: string | null | undefined;
  /** Tried in this order, before `secretArn`. */
  readonly logins?: readonly RegistryLoginProps[] | undefined;
  /**
   * Accounts whose ECR repositories are read, in every region.
   * @default the stack's account
   */
  readonly ecrAccounts?: readonly string[] | undefined;
  /**
   * Other accounts and regions whose pushes to ECR start a poll, as those of the stack's own do. `createPawlStacks` deploys a stack there.
   * @default none
   */
  readonly ecrEvents?: readonly { readonly account: string; readonly region: string }[] | undefined;
  /**
   * The starts of the names of ECR repositories that are read.
   * @default all repositories
   */
  readonly ecrRepositoryPrefixes?: readonly string[] | undefined;
  /** Registries that are requested over plain HTTP, as `host:port`. */
  readonly insecureHosts?: readonly string[] | undefined;
  /**
   * Repositories that may be requested, as `host[:port][/path]`; `*` is every registry with a public address.
   * @default ["*"]
   */
  readonly allowed?: readonly string[] | undefined;
  /** Repositories that are never requested. They take precedence over `allowed`. */
  readonly denied?: readonly string[] | undefined;
  /**
   * Also logs in with the pull secrets of workloads. Needs `infra/cluster/pull-secrets` in the cluster.
   * @default false
   */
  readonly usePullSecrets?: boolean | undefined;
  /**
   * The path of a PEM file: certificate authorities in addition to those of Node.js.
   * @default none
   */
  readonly certificateAuthority?: string | null | undefined;
}

/** How workloads are updated if the digest of their tag changes. */
export interface DigestsProps {
  /**
   * `restart`: a workload is restarted when it is first seen. `adopt`: the digests that its pods run are recorded.
   * @default restart
   */
  readonly onFirstSeen?: "restart" | "adopt" | undefined;
  /**
   * `Always`: a restart also sets this pull policy on the containers that it concerns.
   * @default unchanged
   */
  readonly imagePullPolicy?: "unchanged" | "Always" | undefined;
}

/** A proxy for requests to registries, and to GitHub. */
export interface ProxyProps {
  /** `http://host:port`, without a login. */
  readonly url: string;
  /** Hosts that are requested directly: a name, which includes its subdomains, `.suffix` or an IP address. */
  readonly noProxy?: readonly string[] | undefined;
}

export interface AlarmsProps {
  /**
   * An SNS topic to which CloudWatch may publish.
   * @default an encrypted topic is created
   */
  readonly topicArn?: string | null | undefined;
  /** E-mail addresses to subscribe to the topic. */
  readonly emails?: readonly string[] | undefined;
  /**
   * The address of the runbook: each alarm links to its section.
   * @default docs/how-to/runbook.md where the clone of the project comes from
   */
  readonly runbookUrl?: string | null | undefined;
}

export interface RolesProps {
  /**
   * A path such as `/pawl/`.
   * @default /
   */
  readonly path?: string | null | undefined;
  /**
   * The name of an IAM policy in the account of the stack, with its path.
   * @default none
   */
  readonly permissionsBoundary?: string | null | undefined;
}

/** A repository that names the images of workloads whose policy has `writeTo`. */
export interface GitProps {
  /** Its name in policies: `writeTo: git/NAME`. */
  readonly name: string;
  /** The cluster whose workloads may name it. Entries of two clusters have no files in common. */
  readonly cluster: string;
  readonly provider: "github";
  /**
   * The REST API of GitHub Enterprise Server, such as `https://github.example.com/api/v3`.
   * @default that of github.com
   */
  readonly apiUrl?: string | null | undefined;
  /**
   * The page for a team, which commits and pull requests link their workloads to.
   * @default no link
   */
  readonly pageUrl?: string | null | undefined;
  /** `OWNER/NAME`. */
  readonly repository: string;
  /** The branch that is committed to, and that Argo CD or Flux reads. */
  readonly branch: string;
  /**
   * How images are written: commits to the branch, or pull requests that a person merges.
   * @default "commit"
   */
  readonly mode?: "commit" | "pullRequest" | null | undefined;
  /** The complete ARN of the secret with the GitHub App that commits: `{"appId": "…", "privateKey": "-----BEGIN…"}`. */
  readonly appSecretArn: string;
  /** Globs of the files that may be read and changed. */
  readonly paths: readonly string[];
  /**
   * Globs of the namespaces whose workloads may name it.
   * @default all
   */
  readonly namespaces?: readonly string[] | null | undefined;
}

/** The settings that all clusters of a deployment have in common. */
export interface SharedProps {
  /**
   * The start of the names of all resources, 1 to 12 of `a-z` and `0-9`. Unique in an account and region.
   * @default pawl
   */
  readonly prefix?: string | undefined;
  readonly registries?: RegistriesProps | undefined;
  readonly digests?: DigestsProps | undefined;
  /** @default registries are requested directly */
  readonly proxy?: ProxyProps | null | undefined;
  /** @default nothing is notified */
  readonly notifications?: readonly NotificationProps[] | undefined;
  /** @default no workload may have `writeTo` */
  readonly git?: readonly GitProps[] | undefined;
  readonly alarms?: AlarmsProps | undefined;
  /**
   * `external`: the group and the permissions of the schedules are created, and no schedules.
   * @default stack
   */
  readonly schedulesManagedBy?: "stack" | "external" | undefined;
  /**
   * `gradual`: an alarm rolls back a new version in its first minutes. `immediate`: no alarm does, to deploy a fix.
   * @default gradual
   */
  readonly deployments?: "gradual" | "immediate" | undefined;
  /**
   * Days for which logs are kept, one of the values of CloudWatch.
   * @default 30
   */
  readonly logRetentionDays?: RetentionDays | undefined;
  /**
   * Functions and state machines write traces to X-Ray.
   * @default false
   */
  readonly tracing?: boolean | undefined;
  /**
   * The number of workloads that are checked is also a metric of each namespace, which CloudWatch charges for.
   * @default false
   */
  readonly namespaceMetrics?: boolean | undefined;
  /**
   * What a namespace may use in a poll while others wait.
   * @default 2,000 requests to registries, 200 of their names, 10 s of CPU time
   */
  readonly limits?: LimitsProps | undefined;
  /**
   * When no update starts, in all clusters.
   * @default never
   */
  readonly freeze?: readonly FreezeProps[] | undefined;
  /**
   * What policies of workloads have if their owners do not say it, or, if enforced, at least. The fields of `policy` are those of
   * `spec.policy` of an AutoUpdate.
   * @default none
   */
  readonly defaults?: readonly PolicyDefaultsProps[] | undefined;
  /**
   * Calendars of AWS Systems Manager Change Calendar, by name or ARN: no update starts while one of them is closed.
   * @default none
   */
  readonly changeCalendars?: readonly string[] | undefined;
  /**
   * Who must have signed images before Pawl writes them.
   * @default nothing is verified
   */
  readonly verify?: readonly VerifyRuleProps[] | undefined;
  /**
   * Tags of all resources.
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** What the account requires of roles. */
  readonly roles?: RolesProps | undefined;
  /**
   * Log groups remain after their stack is deleted.
   * @default false
   */
  readonly retainLogs?: boolean | undefined;
  /**
   * A KMS key that encrypts logs, dead-letter queues and the topic of the alarms.
   * @default keys of AWS, and one of the stack for the topic
   */
  readonly encryptionKeyArn?: string | null | undefined;
  /**
   * Lambda checks the signature of the code of each function.
   * @default unsigned code
   */
  readonly codeSigningConfigArn?: string | null | undefined;
}

export type RetentionDays =
  | 1
  | 3
  | 5
  | 7
  | 14
  | 30
  | 60
  | 90
  | 120
  | 150
  | 180
  | 365
  | 400
  | 545
  | 731
  | 1096
  | 1827
  | 2192
  | 2557
  | 2922
  | 3288
  | 3653;
