import type { Command } from "commander";
import { concurrencyMax } from "../../infra/config/limits.ts";
import { gateVariables, limitsVariable } from "../../infra/config/gate-environment.ts";
import type { Environment } from "../../functions/runtime/settings.ts";
import { InvalidInput } from "../exit-codes.ts";
import { readConfigFile } from "./deployment.ts";

/** When, and how many, updates start. */
export interface GateOptions {
  readonly config?: string;
  readonly maxConcurrent?: string;
}

export function withGateOptions(command: Command): Command {
  return command
    .option("--config <file>", "a pawl.json whose limits, freezes and defaults of policies apply")
    .option("--max-concurrent <number>", "how many workloads are updated at a time, instead of that of --config");
}

/** Returns the environment of the functions. Throws `InvalidInput`. */
export function gateEnvironment({ config: file, maxConcurrent }: GateOptions): Environment {
  const config = file === undefined ? null : readConfigFile(file);
  const max = maxConcurrent === undefined ? {} : { maxConcurrent: parseMax(maxConcurrent) };
  const variables = {
    PAWL_LIMITS: limitsVariable({ ...config?.limits, ...max }),
    ...(config === null ? {} : gateVariables(config)),
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null)) as Environment;
}

function parseMax(text: string): number {
  const max = Number(text);
  if (/^\d+$/.test(text) && max >= 1 && max <= concurrencyMax) return max;
  throw new InvalidInput(`--max-concurrent ${text}: must be a whole number from 1 to ${concurrencyMax}`);
}
