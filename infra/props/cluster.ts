import type { ClusterSwitches } from "../../functions/domain/cluster/switches.ts";
import type { AddressSettingName } from "../../functions/domain/analysis/providers/providers.ts";

/** How to connect to a cluster of EKS. */
export interface EksProps {
  /** The name in EKS. */
  readonly clusterName: string;
  /** The region of the cluster, such as `eu-central-1`. */
  readonly region: string;
  /**
   * The `https://` address of the API server.
   * @default read from EKS at the first use, which needs a route to EKS
   */
  readonly endpoint?: string | null | undefined;
  /**
   * The certificate of the API server: PEM in base64, as EKS gives it.
   * @default read from EKS at the first use
   */
  readonly certificateAuthority?: string | null | undefined;
  /**
   * A role in the cluster's account that has an access entry.
   * @default the functions' own roles, for which access entries are created if the cluster is in the stack's account and region
   */
  readonly assumeRoleArn?: string | null | undefined;
  /**
   * What the trust policy of that role requires as `sts:ExternalId`.
   * @default none
   */
  readonly externalId?: string | null | undefined;
}

/** How to connect to any other cluster. */
export interface KubeconfigProps {
  /** The complete ARN of a secret that contains a kubeconfig, without `exec` and without references to files. */
  readonly secretArn: string;
  /**
   * The context to use.
   * @default the current context of the kubeconfig
   */
  readonly context?: string | null | undefined;
}

/** Another cluster, whose workloads the policy `after` may name. It is only read. */
export interface PeerProps {
  /** As policies name it. */
  readonly name: string;
  /** Exactly one of `eks` and `kubeconfig` is required. */
  readonly eks?: EksProps | undefined;
  readonly kubeconfig?: KubeconfigProps | undefined;
}

/** The VPC in which the functions run. It is not changed. */
export interface NetworkProps {
  readonly vpcId: string;
  /** At least one. */
  readonly subnetIds: readonly string[];
  /** The zone of each subnet, in the same order. */
  readonly availabilityZones: readonly string[];
  readonly securityGroupId: string;
}

/** How large a function is. */
export interface SizeProps {
  /**
   * MB, 512 to 10240. The share of a CPU grows with it.
   * @default 512
   */
  readonly memory?: number | undefined;
  /**
   * Seconds after which the function ends: 60 to 900 for the poll, 60 to 240 for a batch.
   * @default 300 for the poll, 240 for a batch
   */
  readonly timeout?: number | undefined;
}

/** When the registries are polled, and by how large a function. */
export interface PollProps extends SizeProps {
  /**
   * `rate(...)` or `cron(...)` of EventBridge Scheduler, with six fields.
   * @default rate(5 minutes)
   */
  readonly schedule?: string | undefined;
  /**
   * An IANA time zone, for `cron`.
   * @default UTC
   */
  readonly timeZone?: string | undefined;
  /**
   * `false` disables the schedule and the rule for pushes to ECR.
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * Seconds, 0 to 300, for which pushes to ECR are collected for one poll.
   * @default 30
   */
  readonly pushBatchSeconds?: number | undefined;
}

/** The rollouts of OS images to nodes. */
export interface NodePoolsProps {
  /**
   * Seconds for which the digest of a pool's tag is cached, 1 to 604800.
   * @default 300
   */
  readonly tagCacheSeconds?: number | undefined;
  /**
   * Reads the pull secrets that pools name, which needs a right in the cluster.
   * @default false
   */
  readonly usePullSecrets?: boolean | undefined;
  /**
   * The tag of the EC2 instances that receive commands through SSM, for nodes without a daemon.
   * @default false, which sends no commands
   */
  readonly runCommand?: false | { readonly instanceTag: { readonly key: string; readonly value: string } } | undefined;
}

/** An address that requires a login. */
export interface AddressProps {
  /** `https://<host>[:port][/path]`. The login is sent to the origin of a Prometheus only, and of `webMetrics` to this URL only. */
  readonly address: string;
  /** The complete ARN of a secret that contains a bearer token, `{"username": "…", "password": "…"}` or `{"headers": {"NAME": "…"}}`. */
  readonly secretArn?: string | null | undefined;
}

/**
 * The addresses that an analysis may query, by provider; the first is the default. `prometheus`: addresses, with their logins.
 * `cloudWatchRegions`: regions in which all metrics may be queried. `webMetrics`: URLs, with their logins, whose JSON may be read.
 * @default none
 */
type MetricProviderProps = {
  readonly [Name in AddressSettingName]?: readonly (string | AddressProps)[] | undefined;
};

/** @default false */
type SwitchProps = { readonly [Name in keyof ClusterSwitches]?: ClusterSwitches[Name] | undefined };

/** The settings of one cluster. Names, ARNs and ids of other resources may be tokens of the CDK. */
export interface ClusterProps extends MetricProviderProps, SwitchProps {
  /** Part of the names of all resources, events and executions: 1 to 24 of `a-z`, `0-9` and inner hyphens. */
  readonly name: string;
  /** Exactly one of `eks` and `kubeconfig` is required. */
  readonly eks?: EksProps | undefined;
  readonly kubeconfig?: KubeconfigProps | undefined;
  /**
   * At most 20. Each binds the group `pawl:peers`.
   * @default none
   */
  readonly peers?: readonly PeerProps[] | undefined;
  /** @default the functions run outside any VPC */
  readonly network?: NetworkProps | null | undefined;
  /** @default every five minutes */
  readonly poll?: PollProps | undefined;
  /** Of the function that polls a batch of a large cluster. */
  readonly pollBatch?: SizeProps | undefined;
  /**
   * The only namespaces that are read.
   * @default all
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Mirrors of the images of Claw runtimes: runtime to repository.
   * @default the runtimes' own repositories
   */
  readonly runtimeImages?: Readonly<Record<string, string>> | undefined;
  /**
   * Concurrency reserved for each function that writes to the cluster, 1 to 100; the poll then has 3.
   * @default null, which reserves none
   */
  readonly writerReservedConcurrency?: number | null | undefined;
  /** @default null: no function has a right to nodes */
  readonly nodePools?: NodePoolsProps | null | undefined;
}
