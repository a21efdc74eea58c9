import { type Command, Option } from "commander";

/** How digests and configuration are tracked, and which logins are used for workloads. */
export interface DigestOptions {
  readonly onFirstDigest?: "restart" | "adopt";
  readonly digestPullPolicy?: "unchanged" | "Always";
  readonly pullSecrets?: "true" | "false";
  readonly configSecrets?: "true" | "false";
}

/** Adds the options of the commands that poll; each also reads the functions' environment variable. */
export function withDigestOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--on-first-digest <restart|adopt>",
        "what to do with the first digest of a tag: restart the workload, or adopt what its pods run (default: restart)",
      )
        .choices(["restart", "adopt"])
        .env("PAWL_DIGEST_ON_FIRST_SEEN"),
    )
    .addOption(
      new Option(
        "--digest-pull-policy <policy>",
        "imagePullPolicy of containers that are restarted (default: unchanged)",
      )
        .choices(["unchanged", "Always"])
        .env("PAWL_DIGEST_IMAGE_PULL_POLICY"),
    )
    .addOption(
      new Option("--pull-secrets [enabled]", "also log in with the pull secrets of workloads")
        .choices(["true", "false"])
        .preset("true")
        .env("PAWL_USE_PULL_SECRETS"),
    )
    .addOption(
      new Option("--config-secrets [enabled]", "also restart for changed Secrets, with restart-on-config-change")
        .choices(["true", "false"])
        .preset("true")
        .env("PAWL_CONFIG_SECRETS"),
    );
}
