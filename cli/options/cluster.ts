import type { KubeConfig } from "@kubernetes/client-node";
import { type Command, InvalidArgumentError, Option } from "commander";
import { invalidSelectorReason } from "../input/label-selector.ts";
import { addItems } from "../input/parse.ts";

/** Selects the cluster. */
export interface ContextOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** In place of a file. */
  readonly loadedConfig?: KubeConfig;
}

export interface ClusterOptions extends ContextOptions {
  /** Absent means every namespace. */
  readonly namespace?: readonly string[];
  readonly allNamespaces?: true;
  readonly runtimeImage?: RuntimeImages;
  /** A label selector; absent means every workload. */
  readonly selector?: string;
}

/** Repositories by runtime. */
type RuntimeImages = Readonly<Record<string, string>>;

/** Adds the options of every command that uses a cluster; each also reads the functions' environment variable. */
export function withContextOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--context <name>", "context of the kubeconfig (default: its current context)").env("PAWL_CONTEXT"),
    )
    .addOption(
      new Option("--kubeconfig <file>", "path of the kubeconfig (default: as kubectl)").env("PAWL_KUBECONFIG"),
    );
}

/** Adds also the options of every command that lists workloads. */
export function withClusterOptions(command: Command): Command {
  return withContextOptions(command)
    .addOption(
      new Option("-n, --namespace <namespace>", "use only this namespace; may be repeated (default: all)")
        .env("PAWL_NAMESPACES")
        .argParser(addItems),
    )
    .addOption(new Option("-A, --all-namespaces", "use all namespaces, which is the default").conflicts("namespace"))
    .addOption(
      new Option(
        "--runtime-image <runtime=repository>",
        "repository of a Claw runtime's image, such as a mirror; may be repeated",
      )
        .env("PAWL_RUNTIME_IMAGES")
        .argParser(addRuntimeImages),
    );
}

/** Adds `-l`. `what` says whose labels are meant. */
export function withSelectorOption(command: Command, what: string): Command {
  return command.addOption(
    new Option(
      "-l, --selector <selector>",
      `only ${what} with these labels: app=web, tier!=cache, 'env in (a,b)', canary, '!canary', joined by commas`,
    ).argParser(parseSelector),
  );
}

function parseSelector(text: string): string {
  const reason = invalidSelectorReason(text);
  if (reason !== null) throw new InvalidArgumentError(reason);
  return text;
}

function addRuntimeImages(text: string, before: RuntimeImages = {}): RuntimeImages {
  return { ...before, ...Object.fromEntries(addItems(text).map(parseRuntimeImage)) };
}

function parseRuntimeImage(item: string): readonly [string, string] {
  const at = item.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Use runtime=repository.");
  return [item.slice(0, at), item.slice(at + 1)];
}
