import { type Command, InvalidArgumentError, Option } from "commander";
import { addItems } from "../input/items.ts";

export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Absent looks in every namespace. */
  readonly namespace?: readonly string[];
  readonly runtimeImage?: RuntimeImages;
}

/** Runtime to repository. */
type RuntimeImages = Readonly<Record<string, string>>;

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

function addRuntimeImages(text: string, before: RuntimeImages = {}): RuntimeImages {
  return { ...before, ...Object.fromEntries(addItems(text).map(runtimeImage)) };
}

function runtimeImage(item: string): readonly [string, string] {
  const at = item.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write runtime=repository.");
  return [item.slice(0, at), item.slice(at + 1)];
}
