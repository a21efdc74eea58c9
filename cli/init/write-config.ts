import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../infra/config/read-config.ts";
import { InvalidInput } from "../exit-codes.ts";
import type { ClusterAnswers, Connection, InitFlags } from "./answers.ts";
import type { EksDescription } from "./eks-address.ts";

const schemaPath = fileURLToPath(new URL("../../infra/config/pawl.schema.json", import.meta.url));

/** A cluster, and what EKS says about it: null if it is not on EKS. */
export interface DescribedCluster extends ClusterAnswers {
  readonly described: EksDescription | null;
}

/** Builds the configuration of the clusters. Throws `InvalidInput` with all problems of the answers. */
export function buildConfig(
  clusters: readonly DescribedCluster[],
  emails: readonly string[],
  { namespace, schedule = "rate(5 minutes)" }: InitFlags,
): object {
  const written = clusters.map(({ name, connection, described }) => ({
    name,
    ...connectionFields(connection, described),
    poll: { schedule },
    ...(namespace === undefined ? {} : { namespaces: namespace }),
  }));
  const config = { clusters: written, ...(emails.length === 0 ? {} : { alarms: { emails } }) };
  const reading = readConfig(config);
  if (reading.kind === "invalid") throw new InvalidInput(reading.problems.join("; "));
  return config;
}

function connectionFields(connection: Connection, described: EksDescription | null): object {
  if (connection.kind === "kubeconfig") {
    const { secretArn, context } = connection;
    return { kubeconfig: { secretArn, ...(context === null ? {} : { context }) } };
  }
  const { clusterName, region, account } = connection;
  const place = account === null ? {} : { account, region };
  if (described?.kind !== "described") return { ...place, eks: { clusterName, region } };
  const { endpoint, certificateAuthority } = described;
  return { ...place, eks: { clusterName, region, endpoint, certificateAuthority } };
}

/** Writes the file. Throws `InvalidInput` if it exists and must not be replaced, also if it was created meanwhile. */
export async function writeConfig(path: string, config: object, replaces: boolean): Promise<void> {
  const folder = dirname(resolve(path));
  const schema = existsSync(schemaPath) ? { $schema: toSchemaReference(relative(folder, schemaPath)) } : {};
  const text = `${JSON.stringify({ ...schema, ...config }, null, 2)}\n`;
  try {
    await writeFile(path, text, { flag: replaces ? "w" : "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new InvalidInput(alreadyThere(path));
    throw new InvalidInput(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

export function alreadyThere(path: string): string {
  return `${path} exists and was not changed; --force replaces it, --file writes another file`;
}

function toSchemaReference(path: string): string {
  return path.startsWith(".") ? path : `./${path}`;
}
