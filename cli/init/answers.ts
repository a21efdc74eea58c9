import { InvalidInput } from "../exit-codes.ts";

/** The flags of `pawl init`. */
export interface InitFlags {
  readonly name?: string;
  readonly eks?: string;
  readonly region?: string;
  readonly kubeconfigSecret?: string;
  readonly context?: string;
  readonly namespace?: readonly string[];
  readonly schedule?: string;
  readonly email?: readonly string[];
}

/** Asks one question; returns the given default if the answer is empty. */
export type Ask = (question: string, byDefault: string) => Promise<string>;

export type Connection =
  | { readonly kind: "eks"; readonly clusterName: string; readonly region: string }
  | { readonly kind: "kubeconfig"; readonly secretArn: string; readonly context: string | null };

export interface Answers {
  readonly name: string;
  readonly connection: Connection;
  readonly emails: readonly string[];
}

/** Returns what the flags say, and asks for the rest. Without a terminal (`ask` is null), throws `InvalidInput` that names the flag. */
export async function readAnswers(flags: InitFlags, ask: Ask | null): Promise<Answers> {
  if (flags.eks !== undefined && flags.kubeconfigSecret !== undefined)
    throw new InvalidInput("--eks and --kubeconfig-secret exclude each other: a cluster has one of them");
  const connection = await readConnection(flags, ask);
  const proposed = connection.kind === "eks" ? toName(connection.clusterName) : "default";
  const name = flags.name ?? (ask === null ? proposed : await ask("Name of the cluster in Pawl", proposed));
  const emails = flags.email ?? (ask === null ? [] : splitEmails(await ask("E-mail addresses for alarms", "")));
  return { name, connection, emails };
}

async function readConnection(flags: InitFlags, ask: Ask | null): Promise<Connection> {
  const { kubeconfigSecret, context = null } = flags;
  if (kubeconfigSecret !== undefined) return { kind: "kubeconfig", secretArn: kubeconfigSecret, context };
  if (flags.eks === undefined && ask === null)
    throw new InvalidInput("no terminal to ask on; use --eks NAME --region REGION, or --kubeconfig-secret ARN");
  const clusterName = flags.eks ?? (await ask!("Name of the EKS cluster (empty: another cluster, by kubeconfig)", ""));
  if (clusterName === "")
    return { kind: "kubeconfig", secretArn: await ask!("ARN of the secret with its kubeconfig", ""), context };
  return { kind: "eks", clusterName, region: await readRegion(flags, ask) };
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
