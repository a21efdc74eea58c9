import { Command } from "commander";
import { type ImageReference, parseImageReference } from "../../functions/domain/image-reference.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import { exitCodes } from "../exit.ts";
import { valid } from "../input/valid.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";
import { type RegistryOptions, withRegistryOptions } from "../reach/registry-options.ts";
import { openRegistry } from "../reach/registry.ts";

interface Options extends RegistryOptions {
  readonly remote?: true;
}

interface Remote {
  /** Behind the tag or digest of the reference, or behind `latest`; null where the registry has no such one. */
  readonly digest: string | null;
  /** What it consists of, where it is an index: the digest of each platform's image. A pod may report any of them. */
  readonly manifests: readonly string[];
  readonly tags: readonly string[];
}

export function imageCommand(): Command {
  const command = new Command("image")
    .description(
      "Prints the parts of an image reference as JSON: registry (the host of its API), repository, tag and digest, " +
        "null where the reference has none. With --remote also what the registry says: the digest behind the " +
        "reference (behind latest where it names no tag), those of its platforms' images where it is an index, and all " +
        "tags. Registries count that as one pull.",
    )
    .argument("<reference>", "an image, such as nginx:1.27 or registry.example.com:5000/team/app@sha256:…")
    .option("--remote", "ask the registry for digests and tags")
    .option("--json", "print JSON, which this verb always does");
  return withRegistryOptions(command)
    .addHelpText("after", "\nExample:\n  pawl image nginx:1.27\n  pawl image ghcr.io/fluxcd/flux-cli --remote")
    .action(printImage);
}

async function printImage(text: string, options: Options): Promise<void> {
  const { registry, repository, tag, digest } = valid("image", parseImageReference(text));
  const image = { registry, repository, tag, digest };
  if (!options.remote) {
    printJson(image);
    return;
  }
  const remote = await askRegistry(image, await openRegistry(options));
  printJson({ ...image, remote });
  if (remote.digest !== null || (tag === null && digest === null)) return;
  say(`${registry}/${repository} has no ${digest ?? tag}`);
  process.exitCode = exitCodes.nothing;
}

async function askRegistry(image: ImageReference, registry: Registry): Promise<Remote> {
  const tags = await registry.listTags(image);
  const [digest = null, ...manifests] = await registry.digestsOf(image).catch(noneIfNotFound);
  return { digest, manifests, tags };
}

function noneIfNotFound(error: Error): readonly string[] {
  if (error.name === "RepositoryNotFound") return [];
  throw error;
}
