import { type Command, Option } from "commander";
import { addItems } from "../input/parse.ts";

export interface RegistryOptions {
  readonly insecureRegistry?: readonly string[];
  readonly allowedRegistry?: readonly string[];
  readonly deniedRegistry?: readonly string[];
  readonly dockerConfig?: string;
}

/** Adds the options of every command that uses registries; each also reads the functions' environment variable. */
export function withRegistryOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--insecure-registry <host>", "host[:port] to call over plain HTTP; may be repeated")
        .env("PAWL_INSECURE_REGISTRIES")
        .argParser(addItems),
    )
    .addOption(
      new Option(
        "--allowed-registry <pattern>",
        "host[:port][/path] to request, also at a private address; may be repeated (default: *, every public registry)",
      )
        .env("PAWL_ALLOWED_REGISTRIES")
        .argParser(addItems),
    )
    .addOption(
      new Option("--denied-registry <pattern>", "host[:port][/path] never to request; may be repeated")
        .env("PAWL_DENIED_REGISTRIES")
        .argParser(addItems),
    )
    .addOption(
      new Option("--docker-config <file>", "docker config.json with logins (default: none)").env("PAWL_DOCKER_CONFIG"),
    );
}
