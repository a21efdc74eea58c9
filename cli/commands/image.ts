import { Command } from "commander";
import { type ImageReference, parseImageReference } from "../../functions/domain/image/reference.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import { exitCodes } from "../exit-codes.ts";
import { validOrThrow } from "../input/parse.ts";
import { printJson, printStderr } from "../output/print.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { connectRegistry } from "../connect/registry.ts";

interface Options extends RegistryOptions {
  readonly remote?: true;
}

interface Remote {
  /** The digest of the reference, of `latest` without a tag; null if the registry does not have it. */
  readonly digest: string | null;
  /** The digest of each platform's image if it is an index. A pod may report any of them. */
  readonly manifests: readonly string[];
  readonly tags: readonly string[];
}

export function createCommand(): Command {
  const command = new Command("image")
    .description(
      "Prints the parts of an image reference as JSON: registry (the host of its API), repository, tag and digest, " +
        "or null if the reference has none. With --remote also the registry's data: the digest of the reference (of latest if " +
        "it has no tag), the digests of its platforms' images if it is an index, and all tags. Registries count that as one pull.",
    )
    .argument("<reference>", "an image, such as nginx:1.27 or registry.example.com:5000/team/app@sha256:…")
    .option("--remote", "request digests and tags from the registry")
    .option("--json", "print JSON (always on for this command)");
  return withRegistryOptions(command)
    .addHelpText("after", "\nExamples:\n  pawl image nginx:1.27\n  pawl image ghcr.io/fluxcd/flux-cli --remote")
    .action(printImage);
}

async function printImage(text: string, options: Options): Promise<void> {
  const { registry, repository, tag, digest } = validOrThrow("image", parseImageReference(text));
  const image = { registry, repository, tag, digest };
  if (!options.remote) {
    printJson(image);
    return;
  }
  const remote = await fetchRemote(image, await connectRegistry(options));
  printJson({ ...image, remote });
  if (remote.digest !== null || (tag === null && digest === null)) return;
  printStderr(`${registry}/${repository} has no ${digest ?? tag}`);
  process.exitCode = exitCodes.noMatch;
}

async function fetchRemote(image: ImageReference, registry: Registry): Promise<Remote> {
  const tags = await registry.listTags(image);
  const [digest = null, ...manifests] = await registry.digestsOf(image).catch(noneIfNotFound);
  return { digest, manifests, tags };
}

function noneIfNotFound(error: Error): readonly string[] {
  if (error.name === "RepositoryNotFound") return [];
  throw error;
}
