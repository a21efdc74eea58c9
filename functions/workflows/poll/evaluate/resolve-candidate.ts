import { lostPlatforms, platformVerdict } from "../../../domain/image/platform.ts";
import { type ImageReference, parseImageReference } from "../../../domain/image/reference.ts";
import type { ResolvedImage } from "../../../domain/image/resolved-image.ts";
import { type Decision, type Hold, hold } from "../../../domain/workload/decision/decision.ts";
import { cannotPinReason, withResolved } from "../../../domain/workload/decision/pin.ts";
import { runningImage } from "../../../domain/workload/record/current-version.ts";
import { versionOfTarget } from "../../../domain/workload/target/target.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { NotAnImage, RepositoryNotFound, Unreachable } from "../../../ports/errors.ts";
import type { PullLogins, Registry } from "../../../ports/registry.ts";
import { asNotFound, manifestNotFound } from "./find-digest.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

/**
 * Resolves the tag of a version that was chosen to a digest, which the update carries. Holds it if the registry says that it does not exist: a
 * deleted one may still be listed; and if nodes of the workload cannot run it. Throws what the registry throws otherwise. One request for
 * each update that nothing else holds.
 */
export async function resolveCandidate(
  registry: Pick<Registry, "resolve">,
  workload: Workload,
  update: Update,
  logins: PullLogins,
): Promise<Decision> {
  const { target, available } = update;
  if (target.kind !== "image") return update;
  const held = (found: Hold): Decision => ({ ...found, target, ...(available === undefined ? {} : { available }) });
  const unpinnable = cannotPinReason(workload);
  if (unpinnable !== null) return held(hold("cannot-pin", unpinnable));
  const resolve = (image: string) =>
    registry.resolve(parseImageReference(image) as ImageReference, logins, workload.ref.namespace);
  const chosen = await resolve(target.image).catch(asNotFound);
  if (chosen instanceof RepositoryNotFound) return manifestNotFound(update, chosen);
  // A gate has judged what its tag was.
  if (target.digest !== undefined && target.digest !== chosen.digest)
    throw new Unreachable(`${target.image} moved while it was evaluated; the next poll decides again`);
  const missing = update.isRequested ? null : await missingPlatformReason(workload, chosen, resolve);
  if (missing !== null) return held(hold("platform-not-published", `${versionOfTarget(target)} ${missing}`));
  return { ...update, target: withResolved(workload, target, chosen) };
}

/**
 * Returns why nodes of the workload cannot run an image: their platforms are those that its pod template names, or else those of the image that
 * runs. That is resolved only if the chosen index lacks a common one.
 */
async function missingPlatformReason(
  workload: Workload,
  chosen: ResolvedImage,
  resolve: (image: string) => Promise<ResolvedImage>,
): Promise<string | null> {
  const verdict = platformVerdict(chosen, workload.nodes);
  if (verdict?.kind === "published") return null;
  if (verdict?.kind === "missing")
    return `is not published for ${verdict.platforms.join(", ")}, which the pod template names`;
  const image = runningImage(workload);
  const running = image === null ? null : await resolve(image).catch(nullIfNoImage);
  const lost = running === null ? [] : lostPlatforms(chosen, running, workload.nodes);
  if (lost.length === 0) return null;
  return `is not published for ${lost.join(", ")}, which ${image} is; if no node needs it, name kubernetes.io/arch in the nodeSelector of the pods`;
}

/** The image that runs may have been deleted, and then shows nothing. */
function nullIfNoImage(error: unknown): null {
  if (error instanceof RepositoryNotFound || error instanceof NotAnImage) return null;
  throw error;
}
