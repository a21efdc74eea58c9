import { annotations, imageUpdaterAnnotations, imageUpdaterFinalizer } from "../../../domain/annotations.ts";
import { parseDigests } from "../../../domain/digests.ts";
import {
  isDigestPinned,
  parseImageReference,
  pinTo,
  sameImage,
  withoutDigest,
} from "../../../domain/image-reference.ts";
import { parseRfc3339 } from "../../../domain/time.ts";
import { trackedContainers, unknownContainers } from "../../../domain/tracked-containers.ts";
import type { Digests, DigestTracking, TrackedContainer } from "../../../domain/tracking.ts";
import type { Annotations } from "../annotated.ts";
import type { Container, ObjectMeta } from "../objects.ts";
import { containerOf, movingContainers } from "./container.ts";
import { allContainers, type BuiltInObject, templateOf } from "./pod-template.ts";

/** What a deployment of Pawl does with workloads that are followed by digest. */
export interface DigestHabits {
  readonly firstSight: DigestTracking["firstSight"];
  /** Whether a restart also makes nodes pull anew what they have under the tag. */
  readonly setsPullPolicy: boolean;
}

export const usualHabits: DigestHabits = { firstSight: "restart", setsPullPolicy: false };

/** Exactly "true", as kubernetes-image-updater has it. */
export function isFollowedByDigest({ annotations: from }: Pick<ObjectMeta, "annotations">): boolean {
  return from?.[imageUpdaterAnnotations.enabled] === "true";
}

export function hasForeignFinalizer({ finalizers }: Pick<ObjectMeta, "finalizers">): boolean {
  return finalizers?.includes(imageUpdaterFinalizer) ?? false;
}

export interface ReadTracking {
  readonly tracking: DigestTracking | null;
  readonly problems: readonly string[];
}

export function readDigestTracking(object: BuiltInObject, firstSight: DigestTracking["firstSight"]): ReadTracking {
  if (!isFollowedByDigest(object.metadata)) return { tracking: null, problems: [] };
  const { annotations: from = {}, deletionTimestamp } = object.metadata;
  const containers = followed(object);
  const last = parseDigests(from[imageUpdaterAnnotations.lastDigest] ?? "", containers[0]?.name);
  const former = (from[annotations.formerDigests] ?? "").split("\n").map((line) => parseDigests(line));
  const returning = parseReturning(from[annotations.returningDigests] ?? "");
  const tracking: DigestTracking = {
    containers,
    last: last ?? {},
    former: former.filter((one) => one !== null && Object.keys(one).length > 0) as readonly Digests[],
    returning,
    firstSight,
    isHeldBack: deletionTimestamp !== undefined && hasForeignFinalizer(object.metadata),
  };
  const unreadable = last === null ? [unreadableDigests(from)] : [];
  return { tracking, problems: [...unreadable, ...selectionProblems(object), ...containers.flatMap(imageProblem)] };
}

/** What its owner pinned has nothing behind it that could change; what Pawl pinned is followed by its tag as before. */
function followed(object: BuiltInObject): readonly TrackedContainer[] {
  const selected = trackedContainers(namesOf(selectable(object)), selectionOf(object));
  const pins = pinsOf(object);
  return selectable(object).flatMap(({ name, image = "" }) => {
    if (!selected.includes(name) || image === "") return [];
    if (isDigestPinned(image) && !isPinnedByPawl({ name, image }, pins)) return [];
    return [{ name, image: withoutDigest(image), ...(staysBehind(object, name, image) ? { stays: true } : {}) }];
  });
}

/** It runs the image whose tag is followed, and others are named to move with the tag. */
function staysBehind(object: BuiltInObject, name: string, image: string): boolean {
  const leading = withoutDigest(containerOf(object)?.image ?? "");
  return sameImage(withoutDigest(image), leading) && !movingContainers(object).some((one) => one.name === name);
}

function selectable(object: BuiltInObject): readonly Container[] {
  const withInit = object.metadata.annotations?.[imageUpdaterAnnotations.trackInitContainers] === "true";
  return withInit ? allContainers(object) : templateOf(object).spec.containers;
}

function selectionOf({ metadata: { annotations: from = {} } }: BuiltInObject) {
  return {
    track: from[imageUpdaterAnnotations.trackContainers],
    ignore: from[imageUpdaterAnnotations.ignoreContainers],
  };
}

function selectionProblems(object: BuiltInObject): readonly string[] {
  const names = namesOf(selectable(object));
  return unknownContainers(names, selectionOf(object)).map(
    (name) => `${imageUpdaterAnnotations.trackContainers} "${name}": no such container, there are ${names.join(", ")}`,
  );
}

function imageProblem({ name, image }: TrackedContainer): readonly string[] {
  const parsed = parseImageReference(image);
  return "kind" in parsed ? [`image "${image}" of container ${name}: ${parsed.reason}`] : [];
}

function unreadableDigests(from: Annotations): string {
  const text = from[imageUpdaterAnnotations.lastDigest] ?? "";
  return `${imageUpdaterAnnotations.lastDigest} "${text.slice(0, 80)}": must be name:digest,name:digest, or be removed`;
}

/** What a rollback has pinned, by container. */
function pinsOf({ metadata }: BuiltInObject): Digests {
  return parseDigests(metadata.annotations?.[annotations.pinned] ?? "") ?? {};
}

export function isPinnedByPawl({ name, image = "" }: Container, pins: Digests): boolean {
  const digest = pins[name];
  return digest !== undefined && image === pinTo(withoutDigest(image), digest);
}

/** The containers that stand pinned as Pawl has pinned them. */
export function pinnedContainers(object: BuiltInObject): readonly Container[] {
  const pins = pinsOf(object);
  return allContainers(object).filter((container) => isPinnedByPawl(container, pins));
}

/** `2026-01-02T03:04:05Z app:sha256:…`; what cannot be read was never seen. */
function parseReturning(text: string): DigestTracking["returning"] {
  const [time = "", list = ""] = text.trim().split(/\s+/);
  const [since, digests] = [parseRfc3339(time), parseDigests(list)];
  return since === null || digests === null ? null : { since, digests };
}

function namesOf(containers: readonly Container[]): readonly string[] {
  return containers.map(({ name }) => name);
}
