import type { Command } from "commander";
import { readDefaultsSetting, readFreezeSetting } from "../../functions/runtime/read-gate-settings.ts";
import type { Settings } from "../../functions/runtime/settings.ts";
import { gateVariables } from "../../infra/config/gate-environment.ts";
import { readConfig } from "../../infra/config/read-config.ts";
import type { PawlConfig } from "../../infra/config/schema.ts";
import { InvalidInput } from "../exit-codes.ts";

/** What a deployment says about gates is in its configuration only: the cluster does not have it. */
export interface DeploymentOptions {
  readonly config?: string;
}

export interface DeploymentGates extends Pick<Settings, "defaults" | "freezes" | "changeCalendars"> {
  /** null if there are several clusters, of which each has its own. */
  readonly git: PawlConfig["git"] | null;
}

export function withDeploymentOption(command: Command): Command {
  return command.option(
    "-c, --config <file>",
    "the pawl.json of the deployment, whose defaults of policies, freezes and change calendars count",
  );
}

/** Reads a configuration. Throws `InvalidInput`. */
export function readConfigFile(file: string): PawlConfig {
  const reading = readConfig(file, { allowsPlaceholders: true });
  if (reading.kind === "config") return reading.config;
  throw new InvalidInput(`--config ${file}: ${reading.problems.join("; ")}`);
}

/** Returns what a configuration says about gates. The problems of its parts are those of the configuration, which is valid. */
export function deploymentGates(config: PawlConfig): DeploymentGates {
  const { PAWL_DEFAULTS: defaults, PAWL_FREEZE: freeze } = gateVariables(config);
  return {
    defaults: readDefaultsSetting(defaults ?? undefined, []),
    freezes: readFreezeSetting(freeze ?? undefined, []),
    changeCalendars: config.changeCalendars,
    git: config.clusters.length === 1 ? config.git : null,
  };
}

/** Names what of a deployment a command does not know. */
export function notConsidered({ config: file }: DeploymentOptions): string | null {
  if (file === undefined)
    return "what a deployment says: defaults of policies, freezes, change calendars, rules of signatures and repositories of git; name its pawl.json with -c";
  return readConfigFile(file).verify.length === 0 ? null : "the rules of signatures of the deployment; use pawl verify";
}
