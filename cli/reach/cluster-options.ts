import { type Command, InvalidArgumentError, Option } from "commander";
import { addItems } from "../input/items.ts";

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Absent looks in every namespace. */
  readonly namespace?: readonly string[];
  readonly runtimeImage?: Readonly<Record<string, string>>;
}

/** The options of every verb that asks a cluster; each can come from the environment of the functions too. */
export function withClusterOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--context <name>", "context of the kubeconfig; its current one by default").env("PAWL_CONTEXT"),
    )
    .addOption(new Option("--kubeconfig <file>", "where kubectl looks by default").env("PAWL_KUBECONFIG"))
    .addOption(
      new Option("-n, --namespace <namespace>", "look only in this namespace; may be repeated (default: all)")
        .env("PAWL_NAMESPACES")
        .argParser(addItems),
    )
    .addOption(
      new Option(
        "--runtime-image <runtime=repository>",
        "where the image of a Claw runtime is mirrored; may be repeated",
      )
        .env("PAWL_RUNTIME_IMAGES")
        .argParser(addRuntimeImages),
    );
}

function addRuntimeImages(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const pairs = addItems(text).map((item) => /^([^=]+)=(.+)$/.exec(item));
  return pairs.reduce((all, pair) => {
    if (pair === null) throw new InvalidArgumentError("Write runtime=repository.");
    const [, runtime = "", repository = ""] = pair;
    return { ...all, [runtime]: repository };
  }, before);
}
