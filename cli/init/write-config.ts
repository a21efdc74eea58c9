import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../infra/config/read-config.ts";
import { InvalidInput } from "../exit-codes.ts";
import type { Answers, InitFlags } from "./answers.ts";
import type { EksDescription } from "./eks-address.ts";

const schemaPath = fileURLToPath(new URL("../../infra/config/pawl.schema.json", import.meta.url));

/** Builds the configuration of one cluster. Throws `InvalidInput` with all problems of the answers. */
export function buildConfig(
  { name, connection, emails }: Answers,
  { namespace, schedule }: InitFlags,
  described: EksDescription | null,
): object {
  const cluster = {
    name,
    ...connectionFields(connection, described),
    poll: { schedule: schedule ?? "rate(5 minutes)" },
    ...(namespace === undefined ? {} : { namespaces: namespace }),
  };
  const config = { clusters: [cluster], ...(emails.length === 0 ? {} : { alarms: { emails } }) };
  const reading = readConfig(config);
  if (reading.kind === "invalid") throw new InvalidInput(reading.problems.join("; "));
  return config;
}

function connectionFields(connection: Answers["connection"], described: EksDescription | null): object {
  if (connection.kind === "kubeconfig") {
    const { secretArn, context } = connection;
    return { kubeconfig: { secretArn, ...(context === null ? {} : { context }) } };
  }
  const { clusterName, region } = connection;
  if (described?.kind !== "described") return { eks: { clusterName, region } };
  const { endpoint, certificateAuthority } = described;
  return { eks: { clusterName, region, endpoint, certificateAuthority } };
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
