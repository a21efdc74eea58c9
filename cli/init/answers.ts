import { InvalidInput } from "../exit-codes.ts";

/** The flags of `pawl init`. */
export interface InitFlags {
  readonly name?: string;
  /** Names of EKS clusters in `region`, or their ARNs. */
  readonly eks?: readonly string[];
  readonly region?: string;
  readonly kubeconfigSecret?: string;
  readonly context?: string;
  readonly namespace?: readonly string[];
  readonly schedule?: string;
  readonly email?: readonly string[];
}

/** Asks one question; returns the given default if the answer is empty. */
export type Ask = (question: string, byDefault: string) => Promise<string>;

export interface EksConnection {
  readonly kind: "eks";
  readonly clusterName: string;
  readonly region: string;
  /** Of an ARN: the stack of the cluster is deployed in its account and region. */
  readonly account: string | null;
}

export type Connection =
  | EksConnection
  | { readonly kind: "kubeconfig"; readonly secretArn: string; readonly context: string | null };

export interface ClusterAnswers {
  readonly name: string;
  readonly connection: Connection;
}

export interface Answers {
  readonly clusters: readonly ClusterAnswers[];
  readonly emails: readonly string[];
}

/** Returns what the flags say, and asks for the rest. Without a terminal (`ask` is null), throws `InvalidInput` that names the flag. */
export async function readAnswers(flags: InitFlags, ask: Ask | null): Promise<Answers> {
  if (flags.eks !== undefined && flags.kubeconfigSecret !== undefined)
    throw new InvalidInput("--eks and --kubeconfig-secret exclude each other: a cluster has one of them");
  const clusters = await readClusters(flags, ask);
  const emails = flags.email ?? (ask === null ? [] : splitEmails(await ask("E-mail addresses for alarms", "")));
  return { clusters, emails };
}

async function readClusters(flags: InitFlags, ask: Ask | null): Promise<readonly ClusterAnswers[]> {
  const { eks = [], name } = flags;
  if (eks.length > 1) {
    if (name !== undefined) throw new InvalidInput("--name: is for one cluster; several have their names in EKS");
    const clusters: ClusterAnswers[] = [];
    for (const one of eks) {
      const connection = await toEks(one, flags, ask);
      clusters.push({ name: toName(connection.clusterName), connection });
    }
    const double = clusters.find((one, index) => clusters.findIndex((other) => other.name === one.name) < index);
    if (double === undefined) return clusters;
    throw new InvalidInput(
      `--eks: two clusters would have the name "${double.name}" in Pawl; write one with --name, and add the other to the file`,
    );
  }
  const connection = await readConnection(flags, ask);
  const proposed = connection.kind === "eks" ? toName(connection.clusterName) : "default";
  return [{ name: name ?? (ask === null ? proposed : await ask("Name of the cluster in Pawl", proposed)), connection }];
}

async function readConnection(flags: InitFlags, ask: Ask | null): Promise<Connection> {
  const { eks: [eks] = [], kubeconfigSecret, context = null } = flags;
  if (kubeconfigSecret !== undefined) return { kind: "kubeconfig", secretArn: kubeconfigSecret, context };
  if (eks === undefined && ask === null)
    throw new InvalidInput("no terminal to ask on; use --eks NAME --region REGION, or --kubeconfig-secret ARN");
  const named = eks ?? (await ask!("Name or ARN of the EKS cluster (empty: another cluster, by kubeconfig)", ""));
  if (named === "")
    return { kind: "kubeconfig", secretArn: await ask!("ARN of the secret with its kubeconfig", ""), context };
  return toEks(named, flags, ask);
}

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonelastickubernetesservice.html */
const clusterArn = /^arn:[a-z-]+:eks:([a-z0-9-]+):([0-9]{12}):cluster\/([A-Za-z0-9_-]+)$/;

async function toEks(nameOrArn: string, flags: InitFlags, ask: Ask | null): Promise<EksConnection> {
  const [, region, account, clusterName] = clusterArn.exec(nameOrArn) ?? [];
  if (region === undefined || account === undefined || clusterName === undefined)
    return { kind: "eks", clusterName: nameOrArn, region: await readRegion(flags, ask), account: null };
  return { kind: "eks", clusterName, region, account };
}

async function readRegion({ region }: InitFlags, ask: Ask | null): Promise<string> {
  if (region !== undefined) return region;
  const ofShell = process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"] ?? "";
  if (ask !== null) return ask("Region of the cluster", ofShell);
  if (ofShell !== "") return ofShell;
  throw new InvalidInput("--region is missing, and AWS_REGION is not set");
}

/** Returns a name in the grammar of the configuration: 1 to 24 of `a-z`, `0-9` and inner hyphens. */
function toName(clusterName: string): string {
  const name = clusterName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return name.slice(0, 24).replaceAll(/^-|-$/g, "") || "default";
}

function splitEmails(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((address) => address !== "");
}
