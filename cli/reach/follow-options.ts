import { type Command, Option } from "commander";

/** How a deployment follows digests and logs in for its workloads. */
export interface FollowOptions {
  readonly digestBaseline?: "restart" | "running";
  readonly digestPullPolicy?: "keep" | "always";
  readonly pullSecrets?: "true" | "false";
}

/** The options of the verbs that poll; each can come from the environment of the functions too. */
export function withFollowOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--digest-baseline <what>",
        "what a digest that is seen for the first time leads to: a restart, or what pods run is taken for the last one (default: restart)",
      )
        .choices(["restart", "running"])
        .env("PAWL_DIGEST_BASELINE"),
    )
    .addOption(
      new Option("--digest-pull-policy <policy>", "whether a restart also has images always pulled (default: keep)")
        .choices(["keep", "always"])
        .env("PAWL_DIGEST_PULL_POLICY"),
    )
    .addOption(
      new Option("--pull-secrets [read]", "log in with the pull secrets of workloads too")
        .choices(["true", "false"])
        .preset("true")
        .env("PAWL_PULL_SECRETS"),
    );
}
