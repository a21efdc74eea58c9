import { truncate } from "../../../../domain/text/summarize-list.ts";
import { imageUpdaterAnnotations, imageUpdaterFinalizer } from "../../../../domain/workload/policy/annotations.ts";
import { parseDigests } from "../../../../domain/workload/digest/digests.ts";
import {
  isDigestPinned,
  parseImageReference,
  pinToDigest,
  isSameImage,
  tagOf,
  withoutDigest,
} from "../../../../domain/image/reference.ts";
import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import {
  type Digests,
  type DigestTracking,
  type TrackedContainer,
  trackedContainers,
  unknownContainers,
} from "../../../../domain/workload/digest/tracking.ts";
import type { Annotations } from "../../annotation-codec.ts";
import type { DigestStatus } from "../../auto-update/status/status-fields.ts";
import type { Container, ObjectMeta } from "../../objects.ts";
import { invalidImage, maxUnknown, primaryContainer, updatedContainers } from "../pod-template/container.ts";
import { allContainers, type BuiltInObject, rawPolicyOf, templateOf } from "../pod-template/pod-template.ts";
import { type RawPolicy, textOf } from "../../../../domain/workload/policy/raw-policy.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/** The configuration of Pawl for workloads tracked by digest. */
export interface DigestOptions {
  readonly initialDigestPolicy: DigestTracking["initialDigestPolicy"];
  /** Whether a restart also sets `imagePullPolicy: Always`. */
  readonly setsPullPolicy: boolean;
}

export const defaultDigestOptions: DigestOptions = { initialDigestPolicy: "restart", setsPullPolicy: false };

/** Only the value "true" counts, as in kubernetes-image-updater. */
export function isTrackedByDigest(raw: RawPolicy): boolean {
  return textOf(raw["digest"]) === "true";
}

export function hasImageUpdaterFinalizer({ finalizers }: Pick<ObjectMeta, "finalizers">): boolean {
  return finalizers?.includes(imageUpdaterFinalizer) ?? false;
}

interface ParsedTracking {
  readonly tracking: DigestTracking | null;
  readonly problems: readonly Problem[];
}

/**
 * Reads what is tracked by digest. `recorded` is the status of its AutoUpdate. What kubernetes-image-updater wrote to `last-digest`
 * counts too, so that its users can switch back and forth.
 */
export function readDigestTracking(
  object: BuiltInObject,
  recorded: DigestStatus | undefined,
  initialDigestPolicy: DigestTracking["initialDigestPolicy"],
): ParsedTracking {
  if (!isTrackedByDigest(rawPolicyOf(object))) return { tracking: null, problems: [] };
  const { annotations: from = {}, deletionTimestamp } = object.metadata;
  const containers = readTrackedContainers(object, recorded?.pinned ?? {});
  const external = parseDigests(from[imageUpdaterAnnotations.lastDigest] ?? "", containers[0]?.name);
  const since = parseRfc3339(recorded?.reverted?.since ?? "");
  const tracking: DigestTracking = {
    containers,
    deployed: recorded?.deployed ?? {},
    // A digest beside a tag runs. What is recorded counts more: a person may have set an earlier one, which stays until the tag moves.
    external: { ...external, ...writtenDigests(containers) },
    ...readPins(object, recorded?.pinned),
    previous: recorded?.previous ?? [],
    ...(recorded?.ran === undefined ? {} : { ran: recorded.ran }),
    ...(recorded?.manifests === undefined ? {} : { manifests: recorded.manifests }),
    reverted: since === null || recorded?.reverted === undefined ? null : { since, digests: recorded.reverted.digests },
    initialDigestPolicy,
    isBlockedByFinalizer: deletionTimestamp !== undefined && hasImageUpdaterFinalizer(object.metadata),
  };
  const unreadable = external === null ? [lastDigestProblem(from)] : [];
  return { tracking, problems: [...unreadable, ...selectionProblems(object), ...containers.flatMap(imageProblem)] };
}

/** Returns the pins of a rollback that are still in place. */
function readPins(object: BuiltInObject, pins: Digests = {}): Pick<DigestTracking, "pinned"> {
  const pinned = pinnedContainers(object, pins).map(({ name }) => [name, pins[name] as string] as const);
  return pinned.length === 0 ? {} : { pinned: Object.fromEntries(pinned) };
}

function digestOf(image: string): string {
  return image.slice(image.indexOf("@") + 1);
}

function writtenDigests(containers: readonly TrackedContainer[]): Digests {
  return Object.fromEntries(containers.flatMap(({ name, digest }) => (digest === undefined ? [] : [[name, digest]])));
}

/** Skips images that have only a digest: they cannot change. A tag beside a digest is tracked. */
function readTrackedContainers(object: BuiltInObject, pins: Digests): readonly TrackedContainer[] {
  const selected = trackedContainers(namesOf(selectableContainers(object)), selectionOf(object));
  return selectableContainers(object).flatMap(({ name, image = "" }) => {
    if (!selected.includes(name) || image === "") return [];
    const isPinned = isDigestPinned(image) && !isPinnedByPawl({ name, image }, pins);
    if (isPinned && tagOf(image) === "") return [];
    return [
      {
        name,
        image: withoutDigest(image),
        ...(isPinned ? { digest: digestOf(image) } : {}),
        ...(isExcludedFromUpdates(object, name, image) ? { excludedFromTagUpdates: true } : {}),
      },
    ];
  });
}

/** Reports whether it runs the image that is tracked by tag, but is not among the containers that an update sets. */
function isExcludedFromUpdates(object: BuiltInObject, name: string, image: string): boolean {
  const leading = withoutDigest(primaryContainer(object)?.image ?? "");
  return isSameImage(withoutDigest(image), leading) && !updatedContainers(object).some((one) => one.name === name);
}

function selectableContainers(object: BuiltInObject): readonly Container[] {
  const withInit = textOf(rawPolicyOf(object)["digestInitContainers"]) === "true";
  return withInit ? allContainers(object) : templateOf(object).spec.containers;
}

function selectionOf(object: BuiltInObject) {
  const { digestContainers, digestIgnoreContainers } = rawPolicyOf(object);
  return { track: textOf(digestContainers), ignore: textOf(digestIgnoreContainers) };
}

function selectionProblems(object: BuiltInObject): readonly Problem[] {
  const names = namesOf(selectableContainers(object));
  const place = rawPolicyOf(object)["digestContainers"]?.place ?? imageUpdaterAnnotations.trackContainers;
  return unknownContainers(names, selectionOf(object))
    .slice(0, maxUnknown)
    .map((name) => fieldProblem(place, "NotFound", `no such container, there are ${names.join(", ")}`, name));
}

function imageProblem({ name, image }: TrackedContainer): readonly Problem[] {
  const parsed = parseImageReference(image);
  return "kind" in parsed ? [invalidImage(name, image, parsed.reason)] : [];
}

function lastDigestProblem(from: Annotations): Problem {
  const text = from[imageUpdaterAnnotations.lastDigest] ?? "";
  const reason = "must be name:digest,name:digest, or be removed";
  return fieldProblem(imageUpdaterAnnotations.lastDigest, "InvalidValue", reason, truncate(text, 80));
}

/** Reports whether a container is still pinned as a rollback recorded it in `pins`. */
export function isPinnedByPawl({ name, image = "" }: Container, pins: Digests): boolean {
  const digest = pins[name];
  return digest !== undefined && image === pinToDigest(withoutDigest(image), digest);
}

/** Returns the containers that are still pinned as Pawl pinned them. */
export function pinnedContainers(object: BuiltInObject, pins: Digests = {}): readonly Container[] {
  return allContainers(object).filter((container) => isPinnedByPawl(container, pins));
}

function namesOf(containers: readonly Container[]): readonly string[] {
  return containers.map(({ name }) => name);
}
