import { type Command, InvalidArgumentError, Option } from "commander";
import { addItems } from "../input/items.ts";

/** Which cluster is meant. */
export interface ContextOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface ClusterOptions extends ContextOptions {
  /** Absent looks in every namespace. */
  readonly namespace?: readonly string[];
  readonly runtimeImage?: RuntimeImages;
}

/** Runtime to repository. */
type RuntimeImages = Readonly<Record<string, string>>;

/** The options of every verb that asks a cluster; each can come from the environment of the functions too. */
export function withContextOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--context <name>", "context of the kubeconfig; its current one by default").env("PAWL_CONTEXT"),
    )
    .addOption(new Option("--kubeconfig <file>", "where kubectl looks by default").env("PAWL_KUBECONFIG"));
}

/** The same, and those of every verb that asks it for workloads. */
export function withClusterOptions(command: Command): Command {
  return withContextOptions(command)
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
