import {
  annotations,
  imageUpdaterAnnotations,
  imageUpdaterFinalizer,
  restartedAtAnnotation,
} from "../../../domain/annotations.ts";
import { formatDigests } from "../../../domain/digests.ts";
import { pinTo, withoutDigest } from "../../../domain/image-reference.ts";
import { formatRfc3339 } from "../../../domain/time.ts";
import type { Change } from "../../../domain/workload.ts";
import type { AnnotationPatch } from "../annotated.ts";
import {
  type DigestHabits,
  hasForeignFinalizer,
  isFollowedByDigest,
  pinnedContainers,
  readDigestTracking,
} from "./digest-tracking.ts";
import { allContainers, type BuiltInObject, containersPatch, inTemplate } from "./pod-template.ts";

/** What is known of digests, as annotations. */
export function digestAnnotations({ digests = {}, restart, pins }: Change): AnnotationPatch {
  const { last, former, returning } = digests;
  return {
    ...(last === undefined ? {} : { [imageUpdaterAnnotations.lastDigest]: last === null ? null : formatDigests(last) }),
    ...(former === undefined ? {} : { [annotations.formerDigests]: former.map(formatDigests).join("\n") || null }),
    ...(returning === undefined
      ? {}
      : {
          [annotations.returningDigests]:
            returning === null ? null : `${formatRfc3339(returning.since)} ${formatDigests(returning.digests)}`,
        }),
    ...(restart === undefined ? {} : { [annotations.pinned]: null }),
    ...(pins === undefined ? {} : { [annotations.pinned]: formatDigests(pins) }),
  };
}

/** Makes all pods anew of what stands behind the tags, or holds them at the digests that ran before. */
export function restartPatch(object: BuiltInObject, { restart, pins }: Change, habits: DigestHabits): object {
  if (pins !== undefined) {
    const images = new Map<string, object>();
    for (const { name, image } of allContainers(object)) {
      const digest = pins[name];
      if (digest !== undefined && image) images.set(name, { image: pinTo(withoutDigest(image), digest) });
    }
    return inTemplate(object, { spec: containersPatch(object, images) });
  }
  if (restart === undefined) return {};
  const spec = containersPatch(object, fieldsAtRestart(object, habits));
  const metadata = { annotations: { [restartedAtAnnotation]: formatRfc3339(restart) } };
  return inTemplate(object, { metadata, ...(spec === null ? {} : { spec }) });
}

/** A node that has something under the tag would start that again unless it is told to pull. */
function fieldsAtRestart(
  object: BuiltInObject,
  { firstSight, setsPullPolicy }: DigestHabits,
): ReadonlyMap<string, object> {
  const fields = new Map<string, object>(
    pinnedContainers(object).map(({ name, image = "" }) => [name, { image: withoutDigest(image) }]),
  );
  if (!setsPullPolicy) return fields;
  const followed = readDigestTracking(object, firstSight).tracking?.containers.map(({ name }) => name) ?? [];
  for (const { name, imagePullPolicy } of allContainers(object)) {
    if (!followed.includes(name) || imagePullPolicy === "Always") continue;
    fields.set(name, { ...fields.get(name), imagePullPolicy: "Always" });
  }
  return fields;
}

/**
 * kubernetes-image-updater puts a finalizer on what it follows, and once it is stopped nobody takes it away: the workload
 * could not be deleted. Whatever Pawl writes to such a workload takes it off.
 */
export function finalizerPatch({ metadata }: BuiltInObject): object {
  if (!isFollowedByDigest(metadata) || !hasForeignFinalizer(metadata)) return {};
  return { "$deleteFromPrimitiveList/finalizers": [imageUpdaterFinalizer] };
}
