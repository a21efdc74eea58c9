import {
  annotations,
  changeCauseAnnotation,
  imageUpdaterAnnotations,
} from "../../../../domain/workload/policy/annotations.ts";
import { versionOf } from "../../../../domain/image/reference.ts";
import { formatDigests } from "../../../../domain/workload/digest/digests.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { AnnotationPatch } from "../../annotation-codec.ts";
import type { DigestStatus } from "../../auto-update/status/status-fields.ts";
import type { CanaryStrategy } from "../canary/canary-strategy.ts";
import { type ContainerImages, imagePatch } from "../pod-template/container.ts";
import { finalizerPatch, restartPatch } from "../digest/digest-patch.ts";
import type { DigestOptions } from "../digest/digest-tracking.ts";
import { type BuiltInObject, templatePatch } from "../pod-template/pod-template.ts";

/** What a patch depends on beside the object and the change. */
interface PatchContext<T extends BuiltInObject> {
  readonly strategy: CanaryStrategy<T> | null;
  /** A canary runs, or ran and may remain. */
  readonly hasCanary: boolean;
  readonly digests: DigestOptions;
  readonly recorded: DigestStatus | undefined;
  /** The containers that the update in flight moved, with the images before it; undefined if that is not recorded. */
  readonly moved: ContainerImages | undefined;
  /** The execution that holds the claim, as recorded; null if none does. */
  readonly holder: string | null;
}

interface WorkloadPatch {
  readonly metadata: object;
  /** Absent if only annotations or finalizers change. */
  readonly spec?: object;
}

/** Returns the one patch of the workload, on the resourceVersion that was read; null if it stays unchanged. */
export function workloadPatch<T extends BuiltInObject>(
  object: T,
  change: Change,
  { strategy, hasCanary, digests, recorded, moved, holder }: PatchContext<T>,
): WorkloadPatch | null {
  const { canary } = change;
  const keepsCanary = canary === undefined || (canary === null && !hasCanary);
  const canaryPatch = keepsCanary ? null : (strategy?.patch(object, canary, change) ?? null);
  const spec =
    change.template === undefined
      ? {
          ...(change.restart === undefined ? imagePatch(object, change, moved) : {}),
          ...restartPatch(object, change, digests, { recorded, moved }),
          ...canaryPatch?.spec,
        }
      : templatePatch(object, { $patch: "replace", ...change.template });
  const isChanged = Object.keys(spec).length > 0;
  const written = {
    ...(isChanged || holder !== change.inFlight?.execution ? fence(object, change) : {}),
    ...(isChanged ? describeChange(object, change) : correctLastDigest(object, change)),
    ...canaryPatch?.annotations,
  };
  const finalizers = finalizerPatch(object);
  const removesFinalizer = change.removeFinalizer && Object.keys(finalizers).length > 0;
  if (!isChanged && Object.keys(written).length === 0 && !removesFinalizer) return null;
  const metadata = { resourceVersion: object.metadata.resourceVersion, ...finalizers, annotations: written };
  return { metadata, ...(isChanged ? { spec } : {}) };
}

/**
 * Names the execution that holds the claim, so that a late patch of its former holder is a conflict. Not needed for a release by the
 * holder itself: the cluster may have refused each patch of the workload.
 */
function fence({ metadata }: BuiltInObject, { inFlight, template }: Change): AnnotationPatch {
  const execution = inFlight?.execution ?? null;
  // With the execution of a release, the template counts as that of the release: it may have been changed by a webhook.
  const isUnwritten = inFlight?.phase === "release" && inFlight.isApplied === false && template === undefined;
  if (execution === null || isUnwritten || metadata.annotations?.[annotations.execution] === execution) return {};
  return { [annotations.execution]: execution };
}

/** What people and other controllers read of a change. Pawl itself reads only `last-digest`. */
function describeChange(object: BuiltInObject, change: Change): AnnotationPatch {
  const { deployed } = change.digests ?? {};
  // The canary of a StatefulSet is in its own template.
  const image = change.image ?? change.canary?.image ?? releasedImage(change);
  return {
    ...(image ? { [annotations.targetImage]: image, ...changeCause(object, change, image) } : {}),
    ...(deployed === undefined
      ? {}
      : { [imageUpdaterAnnotations.lastDigest]: deployed === null ? null : formatDigests(deployed) }),
  };
}

/** A tag moved before the pods pulled it: kubernetes-image-updater has to know what they run. */
function correctLastDigest({ metadata }: BuiltInObject, { digests }: Change): AnnotationPatch {
  if (digests?.ran === undefined || !digests.deployed) return {};
  const lastDigest = formatDigests(digests.deployed);
  const { lastDigest: name } = imageUpdaterAnnotations;
  return metadata.annotations?.[name] === lastDigest ? {} : { [name]: lastDigest };
}

/** Of a release: that of the container that is tracked by tag. */
function releasedImage({ template, inFlight }: Change): string | undefined {
  return template === undefined || inFlight?.phase === "rollback" ? undefined : inFlight?.target.image;
}

const causePrefix = "pawl: ";

/** Keeps the cause that a person gave. */
function changeCause({ metadata }: BuiltInObject, { inFlight }: Change, image: string): AnnotationPatch {
  const given = metadata.annotations?.[changeCauseAnnotation];
  if (given !== undefined && !given.startsWith(causePrefix)) return {};
  const verb = inFlight?.phase === "rollback" || inFlight?.phase === "release" ? "roll back" : "update";
  return { [changeCauseAnnotation]: `${causePrefix}${verb} to ${versionOf(image)}` };
}
