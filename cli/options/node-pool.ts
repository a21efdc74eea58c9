import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../functions/domain/text/duration.ts";
import { parseSwitch } from "../../functions/runtime/env-readers.ts";
import type { Environment } from "../../functions/runtime/settings.ts";
import type { ClusterOptions } from "./cluster.ts";

export interface NodePoolOptions {
  readonly nodePools?: boolean;
  readonly nodePoolPullSecrets?: boolean;
}

export interface PoolRolloutOptions extends NodePoolOptions {
  /** Seconds. */
  readonly tagCache?: number;
}

type Namespaces = Pick<ClusterOptions, "namespace">;

/** Adds the options of the commands that poll; each also reads the functions' environment variable. */
export function withNodePoolOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--node-pools [enabled]", "include node pools (default: true, or false with --namespace)")
        .env("PAWL_NODE_POOLS")
        .argParser(parseSwitchOption)
        .preset("true"),
    )
    .addOption(new Option("--no-node-pools", "exclude node pools"))
    .addOption(
      new Option("--node-pool-pull-secrets [enabled]", "read the pull secrets of node pools")
        .env("PAWL_NODE_POOL_USE_PULL_SECRETS")
        .argParser(parseSwitchOption)
        .preset("true"),
    );
}

/** Adds also the options of the command that rolls out. */
export function withPoolRolloutOptions(command: Command): Command {
  return withNodePoolOptions(command).addOption(
    new Option("--tag-cache <duration>", "how often the tag of a node pool is resolved (default: 5m)")
      .env("PAWL_TAG_CACHE_SECONDS")
      .argParser(parseTagCache),
  );
}

/** Reports whether node pools are included: they are cluster-wide, so not by default with --namespace. */
export function includesNodePools({ nodePools, namespace }: NodePoolOptions & Namespaces): boolean {
  return nodePools ?? namespace === undefined;
}

/** Returns these options as the environment of a deployed function. */
export function poolEnvironment(options: PoolRolloutOptions & Namespaces): Environment {
  return {
    PAWL_NODE_POOLS: includesNodePools(options) ? "1" : "0",
    PAWL_TAG_CACHE_SECONDS: options.tagCache?.toString(),
    PAWL_NODE_POOL_USE_PULL_SECRETS: options.nodePoolPullSecrets === true ? "1" : "0",
  };
}

/** Parses a switch as the functions do. */
function parseSwitchOption(text: string): boolean {
  const isOn = parseSwitch(text);
  if (isOn === null) throw new InvalidArgumentError("Use true or false.");
  return isOn;
}

/** Parses a duration; a plain number is in seconds, as in the environment. */
function parseTagCache(text: string): number {
  const parsed = parseDuration(/^\d+$/.test(text) ? `${text}s` : text);
  if (parsed.kind === "invalid") throw new InvalidArgumentError(`It ${parsed.reason}.`);
  if (!Number.isInteger(parsed.seconds) || parsed.seconds < 1) {
    throw new InvalidArgumentError("Use whole seconds, at least 1.");
  }
  return parsed.seconds;
}
