import { imageUpdaterFinalizer, restartedAtAnnotation } from "../../../../domain/workload/policy/annotations.ts";
import { isDigestPinned, isSameImage, pinToDigest, withoutDigest } from "../../../../domain/image/reference.ts";
import { formatRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { keepsImages } from "../../../../domain/workload/target/target.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import { changedImages, type ContainerImages } from "../pod-template/container.ts";
import type { DigestStatus } from "../../auto-update/status/status-fields.ts";
import {
  type DigestOptions,
  hasImageUpdaterFinalizer,
  isTrackedByDigest,
  pinnedContainers,
  readDigestTracking,
} from "./digest-tracking.ts";
import {
  allContainers,
  type BuiltInObject,
  containersPatch,
  rawPolicyOf,
  templatePatch,
} from "../pod-template/pod-template.ts";

/** Returns a patch that restarts the pods on the current digests of their tags, or pins them to the previous digests. */
export function restartPatch(
  object: BuiltInObject,
  change: Change,
  options: DigestOptions,
  { recorded, moved }: { readonly recorded: DigestStatus | undefined; readonly moved: ContainerImages | undefined },
): object {
  const { restart, pins, written, inFlight } = change;
  if (pins !== undefined) {
    const images = new Map<string, object>();
    for (const { name, image } of allContainers(object)) {
      const digest = pins[name];
      // The digest is of the tag that was restarted: a person may have set another one since.
      const before = moved?.[name] ?? image;
      const isSameTag = Boolean(image && before && isSameImage(withoutDigest(before), withoutDigest(image)));
      const pinned =
        digest === undefined || !image || !isSameTag ? undefined : pinToDigest(withoutDigest(image), digest);
      if (pinned !== undefined && pinned !== image) images.set(name, { image: pinned });
    }
    const pinning = containersPatch(object, images);
    return templatePatch(object, pinning === null ? null : { spec: pinning });
  }
  if (restart === undefined) {
    // Only what a reference had before is restored.
    const before = restoredImages(object, written, moved);
    const restored = containersPatch(object, before);
    return templatePatch(object, restored === null ? null : { spec: restored });
  }
  // Only a digest that was verified is written beside a tag that stays.
  const own = changedImages(object, change);
  const isKept = inFlight && keepsImages(inFlight.target);
  const fields = isKept ? own : new Map([...own, ...restartFields(object, options, recorded)]);
  const spec = containersPatch(object, withWritten(object, fields, written));
  const metadata = { annotations: { [restartedAtAnnotation]: formatRfc3339(restart) } };
  return templatePatch(object, { metadata, ...(spec === null ? {} : { spec }) });
}

function restoredImages(
  object: BuiltInObject,
  written: Change["written"] = {},
  moved: ContainerImages = {},
): ReadonlyMap<string, object> {
  return new Map(
    allContainers(object).flatMap(({ name, image = "" }) => {
      const before = moved[name] ?? "";
      const digest = written[name];
      if (!digest || !isDigestPinned(before) || !isSameImage(withoutDigest(before), withoutDigest(image))) return [];
      return [[name, { image: pinToDigest(withoutDigest(before), digest) }]];
    }),
  );
}

/** Adds the digests that are written beside the tags. */
function withWritten(
  object: BuiltInObject,
  fields: ReadonlyMap<string, object>,
  written: Change["written"] = {},
): ReadonlyMap<string, object> {
  const all = new Map(fields);
  for (const { name, image = "" } of allContainers(object)) {
    const digest = written[name];
    if (digest === undefined) continue;
    const tagged = withoutDigest(image);
    all.set(name, { ...all.get(name), image: digest === null ? tagged : pinToDigest(tagged, digest) });
  }
  return all;
}

/** Unpins the images. Sets `imagePullPolicy: Always` if configured: a node would otherwise reuse its cached image. */
function restartFields(
  object: BuiltInObject,
  { initialDigestPolicy, setsPullPolicy }: DigestOptions,
  recorded: DigestStatus | undefined,
): ReadonlyMap<string, object> {
  const fields = new Map<string, object>(
    pinnedContainers(object, recorded?.pinned).map(({ name, image = "" }) => [name, { image: withoutDigest(image) }]),
  );
  if (!setsPullPolicy) return fields;
  const { tracking } = readDigestTracking(object, recorded, initialDigestPolicy);
  const tracked = tracking?.containers.map(({ name }) => name) ?? [];
  for (const { name, imagePullPolicy } of allContainers(object)) {
    if (!tracked.includes(name) || imagePullPolicy === "Always") continue;
    fields.set(name, { ...fields.get(name), imagePullPolicy: "Always" });
  }
  return fields;
}

/**
 * Returns a patch that removes the finalizer of kubernetes-image-updater: if that controller no longer runs, the finalizer blocks
 * deletion of the workload.
 */
export function finalizerPatch(object: BuiltInObject): object {
  const { metadata } = object;
  if (!isTrackedByDigest(rawPolicyOf(object)) || !hasImageUpdaterFinalizer(metadata)) return {};
  return { "$deleteFromPrimitiveList/finalizers": [imageUpdaterFinalizer] };
}
