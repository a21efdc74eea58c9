import type { Command } from "commander";
import { readConfig } from "../../infra/config/read-config.ts";
import { type ClusterConfig, gitOf, type PawlConfig } from "../../infra/config/schema.ts";
import { handlersFor, type HandlerName } from "../../infra/constructs/functions/function-specs.ts";
import { InvalidInput } from "../exit-codes.ts";

/** The cluster whose deployment is checked. */
export interface DoctorTarget {
  readonly config: PawlConfig;
  readonly cluster: ClusterConfig;
  /** The region of the stack. */
  readonly region: string;
  readonly handlers: readonly HandlerName[];
}

export interface TargetFlags {
  readonly file: string;
  readonly cluster?: string;
  readonly region?: string;
}

export const defaultFile = "pawl.json";

export function withTargetOptions(command: Command): Command {
  return command
    .option("--file <path>", "the configuration of the deployment", defaultFile)
    .option("--cluster <name>", "cluster of the configuration (default: its only one)")
    .option(
      "--region <region>",
      "region of the stack (default: that of the configuration, AWS_REGION, or the region of the EKS cluster)",
    );
}

/** Reads the configuration and selects the cluster and the region. Throws `InvalidInput`. */
export function readTarget({ file, cluster: name, region }: TargetFlags): DoctorTarget {
  const reading = readConfig(file);
  if (reading.kind === "invalid") throw new InvalidInput(reading.problems.join("; "));
  const { config } = reading;
  const names = config.clusters.map((one) => one.name);
  const found = name === undefined && names.length === 1 ? config.clusters[0] : findNamed(config, name);
  if (found === undefined) {
    const reason = name === undefined ? "has several clusters" : `has no cluster "${name}"`;
    throw new InvalidInput(`${file} ${reason}; use --cluster with one of: ${names.join(", ")}`);
  }
  const cluster = { ...found, prefix: config.prefix, verify: config.verify, git: gitOf(found.name, config.git) };
  return { config, cluster, region: region ?? found.region ?? defaultRegion(cluster), handlers: handlersFor(cluster) };
}

function findNamed({ clusters }: PawlConfig, name: string | undefined) {
  return clusters.find((one) => one.name === name);
}

/** The stack is usually in the region of its cluster. */
function defaultRegion({ access }: ClusterConfig): string {
  const ofShell = process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"];
  if (ofShell !== undefined && ofShell !== "") return ofShell;
  if (access.kind === "eks") return access.region;
  throw new InvalidInput("the region of the stack is unknown; use --region, or set AWS_REGION");
}

export function functionName({ cluster }: DoctorTarget, handler: HandlerName): string {
  return `${cluster.prefix}-${cluster.name}-${handler}`;
}
