import { type ImageReference, parseImageReference } from "../../../domain/image/reference.ts";
import { type Decision, hold } from "../../../domain/workload/decision/decision.ts";
import { versionOfTarget } from "../../../domain/workload/target/target.ts";
import { RepositoryNotFound } from "../../../ports/errors.ts";
import type { PullLogins, Registry } from "../../../ports/registry.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

/**
 * Asks the registry, by HEAD, for the manifest of a version that was chosen from its tags: a deleted one may still be listed. Holds the update if the
 * registry says that it does not exist. Throws what the registry throws otherwise.
 */
export async function checkManifest(
  registry: Pick<Registry, "digestOf">,
  update: Update,
  logins: PullLogins,
  payer: string,
): Promise<Decision> {
  const { target, available } = update;
  try {
    await registry.digestOf(parseImageReference(target.image) as ImageReference, logins, payer);
    return update;
  } catch (error) {
    if (!(error instanceof RepositoryNotFound)) throw error;
    const detail = `${versionOfTarget(target)} is listed, but its registry has no such image: ${error.message}`;
    return { ...hold("manifest-not-found", detail), target, ...(available === undefined ? {} : { available }) };
  }
}
