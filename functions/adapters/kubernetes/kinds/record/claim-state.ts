import { writtenImage } from "../../../../domain/workload/target/target.ts";
import { isAsWritten, isSameImage, isSameRepository, withoutDigest } from "../../../../domain/image/reference.ts";
import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { annotations, restartedAtAnnotation } from "../../../../domain/workload/policy/annotations.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import type { KubernetesApi } from "../../api.ts";
import type { UpdateStatus } from "../../auto-update/status/status-fields.ts";
import { readUpdate } from "../../auto-update/status/update-status.ts";
import type { PodTemplate, Resource } from "../../objects.ts";
import { withAppliedImage } from "../built-in/answered.ts";
import { primaryContainer } from "../pod-template/container.ts";
import { allContainers, type BuiltInObject, hashRelease, templateOf } from "../pod-template/pod-template.ts";
import { listRevisionTemplates } from "../pod-template/revisions.ts";

/**
 * Reads the update in flight. Ignores one that is not of this object or of the repository that is tracked: a role that may write the
 * status must not choose another image. Nor may it choose one for a workload that has not opted in: then the previous image counts
 * only if the workload's own annotation, which that role cannot write, says that Pawl set the target.
 */
export function readClaim(
  object: BuiltInObject,
  update: UpdateStatus | undefined,
  isOptedIn: boolean,
): InFlight | null {
  const inFlight = readUpdate(update);
  if (inFlight === null || update?.targetUID !== object.metadata.uid) return null;
  const tracked = primaryContainer(object);
  // After the opt-out a release may only be reverted.
  if (inFlight.release !== undefined && !isOptedIn && !isFenced(object, inFlight)) return null;
  // A restart may be for any container, and sets no image: its digest may be one of the configuration.
  const targets = update.strategy === "Restart" ? allContainers(object) : [tracked];
  const { previousImage } = inFlight;
  const isSet = isSetByPawl(object, inFlight);
  const isRewritten = isSet && (update.phase === "Claimed" || inFlight.appliedImage === tracked?.image);
  const isTracked = targets.some((container) =>
    isSameRepository(container?.image ?? "", withoutDigest(inFlight.target.image)),
  );
  if (!isTracked && !isRewritten) return null;
  // What a webhook made of the target says nothing about the repository before it.
  const repository = isTracked ? (tracked?.image ?? "") : inFlight.target.image;
  const isPreviousTracked =
    (isOptedIn || isSet) && previousImage !== null && isSameRepository(repository, previousImage);
  return { ...inFlight, previousImage: isPreviousTracked ? previousImage : null };
}

/** Reports whether the workload names the target, which is written with its image, and which only an execution may write there. */
function isSetByPawl({ metadata }: BuiltInObject, { target }: InFlight): boolean {
  return isSameImage(metadata.annotations?.[annotations.targetImage] ?? "", writtenImage(target));
}

/** Reports whether the workload names the execution, which only an execution may write there. */
function isFenced({ metadata }: BuiltInObject, { execution }: InFlight): boolean {
  return execution !== null && metadata.annotations?.[annotations.execution] === execution;
}

/**
 * Finds out whether a claimed change was written: a process may have ended between the claim and the change. It was not if the
 * workload is as the claim read it, but for changes that create no revision of the target, such as scaling. A revision of the target
 * that is not later than the claim is left of an earlier update: one that runs again gets a higher number.
 */
export async function observeClaim(
  object: BuiltInObject,
  inFlight: InFlight,
  update: UpdateStatus,
  target: Resource,
  api: KubernetesApi,
): Promise<InFlight> {
  if (update.phase !== "Claimed") return inFlight;
  if (object.metadata.generation === update.targetGeneration) return inFlight;
  const image = primaryContainer(object)?.image ?? "";
  if (isTarget(templateOf(object), inFlight)) {
    const isApplied = !isPromotionPending(object, inFlight);
    return {
      ...(isAsWritten(image, writtenImage(inFlight.target)) ? withAppliedImage(inFlight, image) : inFlight),
      isApplied,
    };
  }
  const { own } = await listRevisionTemplates(object, target, api);
  const { targetRevision = -1 } = update;
  const later = own.filter(({ number }) => number > targetRevision);
  const { release, previousImage } = inFlight;
  // A webhook may have made another image of the target: the patch that wrote it named the target, and nobody has changed it since.
  const isAnswer =
    inFlight.target.kind === "image" && isSetByPawl(object, inFlight) && !isSameImage(image, previousImage ?? "");
  if (isAnswer && later.length <= 1) return { ...withAppliedImage(inFlight, image), isApplied: true };
  // A webhook may have changed the template. The patch that wrote it named the execution, and nobody has changed it since.
  if (release !== undefined && later.length <= 1 && isFenced(object, inFlight))
    return { ...inFlight, isApplied: true, release: { ...release, hash: hashRelease(templateOf(object)) } };
  return { ...inFlight, isApplied: later.some(({ template }) => isTarget(template, inFlight)) };
}

/** Reports whether a StatefulSet runs the target in its canary only: the promotion removes the partition and this annotation. */
function isPromotionPending({ metadata }: BuiltInObject, { phase }: InFlight): boolean {
  return phase === "rollout" && metadata.annotations?.[annotations.canaryPartition] !== undefined;
}

/** Reports whether a pod template, or a pod, is what an update changes to. */
export function isTarget(template: PodTemplate, { phase, target, startedAt, release }: InFlight): boolean {
  if (release !== undefined) return hashRelease(template) === release.hash;
  if (phase === "restart") {
    const restartedAt = parseRfc3339(template.metadata?.annotations?.[restartedAtAnnotation] ?? "");
    // A later restart of a person pulls the same digest.
    return startedAt !== "malformed" && restartedAt !== null && restartedAt >= startedAt;
  }
  const { containers, initContainers = [] } = template.spec;
  return [...containers, ...initContainers].some(({ image }) => isAsWritten(image ?? "", writtenImage(target)));
}
