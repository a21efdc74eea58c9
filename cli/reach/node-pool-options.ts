import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../functions/domain/duration.ts";
import { parseSwitch } from "../../functions/setting-readers.ts";
import type { Environment } from "../../functions/settings.ts";
import type { ClusterOptions } from "./cluster-options.ts";

export interface NodePoolOptions {
  readonly nodePools?: boolean;
  readonly nodePoolPullSecrets?: boolean;
}

export interface PoolRolloutOptions extends NodePoolOptions {
  /** Seconds. */
  readonly tagResolution?: number;
}

type Namespaces = Pick<ClusterOptions, "namespace">;

/** The options of the verbs that poll; each can come from the environment of the functions too. */
export function withNodePoolOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--node-pools [look]", "look at node pools too (default: true, and false where --namespace is given)")
        .env("PAWL_NODE_POOLS")
        .argParser(readSwitch)
        .preset("true"),
    )
    .addOption(new Option("--no-node-pools", "leave node pools alone"))
    .addOption(
      new Option("--node-pool-pull-secrets [read]", "read the pull secret that a node pool names")
        .env("PAWL_NODE_POOL_PULL_SECRETS")
        .argParser(readSwitch)
        .preset("true"),
    );
}

/** The same, and those of the verb that rolls out. */
export function withPoolRolloutOptions(command: Command): Command {
  return withNodePoolOptions(command).addOption(
    new Option("--tag-resolution <duration>", "how often the tag of a node pool is resolved (default: 5m)")
      .env("PAWL_TAG_RESOLUTION_SECONDS")
      .argParser(readInterval),
  );
}

/** Node pools are cluster-wide: who looks at namespaces only has not asked for them. */
export function wantsNodePools({ nodePools, namespace }: NodePoolOptions & Namespaces): boolean {
  return nodePools ?? namespace === undefined;
}

/** What a deployed function would find of this in its environment. */
export function poolEnvironment(options: PoolRolloutOptions & Namespaces): Environment {
  return {
    PAWL_NODE_POOLS: wantsNodePools(options) ? "1" : "0",
    PAWL_TAG_RESOLUTION_SECONDS: options.tagResolution?.toString(),
    PAWL_NODE_POOL_PULL_SECRETS: options.nodePoolPullSecrets === true ? "1" : "0",
  };
}

/** As the functions read their environment. */
function readSwitch(text: string): boolean {
  const isOn = parseSwitch(text);
  if (isOn === null) throw new InvalidArgumentError("Write true or false.");
  return isOn;
}

/** A bare number is of seconds, as in the environment. */
function readInterval(text: string): number {
  const parsed = parseDuration(/^\d+$/.test(text) ? `${text}s` : text);
  if (parsed.kind === "invalid") throw new InvalidArgumentError(`It ${parsed.reason}.`);
  if (!Number.isInteger(parsed.seconds) || parsed.seconds < 1) {
    throw new InvalidArgumentError("Write whole seconds, 1 or more.");
  }
  return parsed.seconds;
}
