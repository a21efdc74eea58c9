/** The configuration of a deployment, as `readConfig` returns it: checked, with every default filled in. */
export interface PawlConfig {
  readonly clusters: readonly ClusterConfig[];
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  /** null asks registries directly. */
  readonly proxy: ProxyConfig | null;
  readonly notifications: readonly NotificationConfig[];
  readonly alarms: AlarmsConfig;
  /** "operators": the stack makes the schedules' group and permissions and leaves the schedules to them. */
  readonly schedulesManagedBy: "stack" | "operators";
  readonly logRetentionDays: number;
}

export interface ClusterConfig {
  /** How the cluster is called in names of resources, events and executions: `[a-z0-9-]`, at most 24 characters. */
  readonly name: string;
  readonly access: EksAccess | KubeconfigAccess;
  /** null runs the functions outside any VPC. */
  readonly network: NetworkConfig | null;
  readonly poll: PollConfig;
  /** null looks in every namespace. */
  readonly namespaces: readonly string[] | null;
  /** Where the images of Claw runtimes are mirrored: runtime to repository. */
  readonly runtimeImages: Readonly<Record<string, string>>;
  /** Every Prometheus that an analysis may ask, as `parseAddress` reads it; the first where an analysis names none. */
  readonly prometheus: readonly string[];
  /** Reserved for each function that writes to the cluster; the poll then has 1. null reserves nothing, not even for it. */
  readonly writesAtOnce: number | null;
  /** null leaves the cluster's node pools alone: no function has a right to Nodes or evictions then. */
  readonly nodePools: NodePoolsConfig | null;
}

/** How the pools of image-based nodes (`BootcNodePool`) are kept. */
export interface NodePoolsConfig {
  /** How long what the tag of a pool's image stands for is taken for granted. */
  readonly tagResolutionSeconds: number;
  /** Whether the pull secrets that pools name are read, so that nodes learn when one changes. */
  readonly pullSecrets: boolean;
  /** Nodes without a daemon, commanded through SSM; null commands none. */
  readonly runCommand: RunCommandConfig | null;
}

export interface RunCommandConfig {
  /** Only EC2 instances with this tag may be sent a command. */
  readonly instanceTag: { readonly key: string; readonly value: string };
}

export interface EksAccess {
  readonly kind: "eks";
  readonly clusterName: string;
  readonly region: string;
  /** null asks EKS at the first use; so does a null certificate authority (base64 PEM). */
  readonly endpoint: string | null;
  readonly certificateAuthority: string | null;
  /** A role in the cluster's account, whose access entry lets it in; null uses the functions' own roles. */
  readonly assumeRoleArn: string | null;
}

export interface KubeconfigAccess {
  readonly kind: "kubeconfig";
  /** A secret that holds the kubeconfig's text: no exec, no references to files. */
  readonly secretArn: string;
  readonly context: string | null;
}

export interface NetworkConfig {
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  readonly availabilityZones: readonly string[];
  readonly securityGroupId: string;
}

export interface PollConfig {
  /** `rate(5 minutes)` or `cron(0 3 * * ? *)`, in EventBridge Scheduler's grammar. */
  readonly expression: string;
  /** An IANA zone. */
  readonly timeZone: string;
  readonly enabled: boolean;
}

export interface RegistriesConfig {
  /** A secret that holds a docker config.json; null is anonymous. */
  readonly secretArn: string | null;
  /** Accounts whose ECR repositories are read; empty reads the own account's only. */
  readonly ecrAccounts: readonly string[];
  readonly insecureHosts: readonly string[];
  /** Whether a poll logs in with the pull secrets of workloads too; it then needs the right to read them. */
  readonly pullSecrets: boolean;
  /** A PEM file from the project's root, whose certificates registries may show besides those that Node.js trusts. */
  readonly certificateAuthority: string | null;
}

/** How workloads are kept at the digest behind their tag. */
export interface DigestsConfig {
  /** At first sight a workload is restarted, or what its pods run is the baseline. */
  readonly baseline: "restart" | "running";
  /** "always": a restart also has the containers that it is about pull their images always. */
  readonly pullPolicy: "keep" | "always";
}

export interface ProxyConfig {
  /** `http://host[:port]`, without a login. */
  readonly url: string;
  /** Hosts that are asked directly: `name`, which is its subdomains too, `.suffix`, an IP address, each with `:port` or without. */
  readonly except: readonly string[];
}

export type NotificationConfig = SnsNotification | WebhookNotification;

export interface SnsNotification {
  readonly kind: "sns";
  readonly topicArn: string;
  readonly on: "success" | "failure" | "all";
}

export interface WebhookNotification {
  readonly kind: "webhook";
  /** Unique among the webhooks: `[a-z0-9-]`. */
  readonly name: string;
  readonly url: string;
  /** A header and the secret that holds its value. */
  readonly header: string;
  readonly secretArn: string;
  readonly on: "success" | "failure" | "all";
}

export interface AlarmsConfig {
  /** null makes a topic. */
  readonly topicArn: string | null;
  readonly emails: readonly string[];
  /** Where the runbook is read; each alarm links to its paragraph there. */
  readonly runbookUrl: string;
}
