import type { ImageReference } from "../../../domain/image/reference.ts";
import { type Decision, type Hold, hold } from "../../../domain/workload/decision/decision.ts";
import { versionOfTarget } from "../../../domain/workload/target/target.ts";
import { RepositoryNotFound } from "../../../ports/errors.ts";
import type { PullLogins, Registry } from "../../../ports/registry.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

/** Asks the registry, by HEAD, for the digest of an image. Returns the error if it says that there is none. */
export async function findDigest(
  registry: Pick<Registry, "digestOf">,
  image: ImageReference,
  logins: PullLogins,
  payer: string,
): Promise<string | RepositoryNotFound> {
  return registry.digestOf(image, logins, payer).catch(asNotFound);
}

/** Returns the error of a registry that says that there is no such image, and throws any other. */
export function asNotFound(error: unknown): RepositoryNotFound {
  if (error instanceof RepositoryNotFound) return error;
  throw error;
}

/** Returns the hold of a version that was chosen from the tags, and that its registry does not have: a deleted one may still be listed. */
export function manifestNotFound({ target, available }: Update, { message }: Pick<Error, "message">): Hold {
  const detail = `${versionOfTarget(target)} is listed, but its registry has no such image: ${message}`;
  return { ...hold("manifest-not-found", detail), target, ...(available === undefined ? {} : { available }) };
}
