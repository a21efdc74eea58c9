import { type Command, Option } from "commander";
import { addItems } from "../input/items.ts";

export interface RegistryOptions {
  readonly insecureRegistry?: readonly string[];
  readonly dockerConfig?: string;
}

/** The options of every verb that asks registries; each can come from the environment of the functions too. */
export function withRegistryOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--insecure-registry <host>", "host[:port] that is spoken to over plain HTTP; may be repeated")
        .env("PAWL_INSECURE_REGISTRIES")
        .argParser(addItems),
    )
    .addOption(
      new Option("--docker-config <file>", "docker config.json with logins; none by default").env("PAWL_DOCKER_CONFIG"),
    );
}
