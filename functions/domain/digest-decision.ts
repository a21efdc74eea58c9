import { assessDigests, currentDigests, type DigestVerdict, type SeenDigests } from "./digest-verdict.ts";
import { sameDigests } from "./digests.ts";
import { pinTo, sameImage, versionOf, withoutDigest } from "./image-reference.ts";
import { type Decision, type DigestNote, type Hold, hold } from "./decision.ts";
import type { Digests, DigestTracking, TrackedContainer } from "./tracking.ts";
import type { Workload } from "./workload.ts";

/** The followed containers with the images that they are going to run: those that an update moves, at their new tag. */
export function containersAfter(workload: Workload, byTag: Decision | null): readonly TrackedContainer[] {
  const containers = workload.digests?.containers ?? [];
  if (byTag?.kind !== "update") return containers;
  const moving = withoutDigest(workload.image ?? "");
  return containers.map((one) => (!one.stays && sameImage(one.image, moving) ? { ...one, image: byTag.image } : one));
}

/**
 * What a poll does about a workload that is followed by digest; `byTag` is what its tags say, null where it is not followed
 * by tag. The highest tag goes first, and the digests behind what it brings are then known with it.
 */
export function decideByDigest(workload: Workload, byTag: Decision | null, seen: SeenDigests, now: Date): Decision {
  const tracking = workload.digests;
  if (tracking === null) return byTag ?? hold("disabled", "no container is followed");
  const digests = currentDigests(seen);
  if (byTag?.kind === "update") return { ...byTag, digests };
  if (byTag !== null && byTag.kind !== "hold") return byTag;
  const verdict = assessDigests(tracking, seen, now);
  const decision =
    verdict.kind === "moved"
      ? restart(workload, byTag, imagesOf(tracking, verdict.changed, digests), digests)
      : (byTag ?? atRest(verdict));
  return decision.kind === "hold" ? { ...decision, ...noteOf(tracking, verdict, digests) } : decision;
}

function atRest({ kind }: DigestVerdict): Hold {
  return kind === "returning"
    ? hold("returning-digest", "a tag shows what it showed before: it is believed once it has stood for an hour")
    : hold("same-digest", "behind every tag stands what the workload was started with last");
}

/** Former digests that something else was seen in place of have not stood at every look. */
function noteOf(
  { returning }: DigestTracking,
  verdict: DigestVerdict,
  digests: Digests,
): { readonly digests?: DigestNote } {
  if (verdict.kind === "baseline") return { digests: { last: digests, returning: null } };
  if (verdict.kind !== "returning") return returning === null ? {} : { digests: { returning: null } };
  const isKnown = returning !== null && sameDigests(returning.digests, verdict.digests);
  return isKnown ? {} : { digests: { returning: verdict.digests } };
}

/** Whatever is held, what the tags say is the greater news. A digest that has failed is brought in by no other either. */
function restart(
  { bookkeeping: { circuitOpen, failedVersions } }: Workload,
  byTag: Hold | null,
  images: readonly string[],
  digests: Digests,
): Decision {
  const image = images[0] as string;
  const version = versionOf(image);
  if (circuitOpen) {
    const detail = `the circuit is open: ${version} is available and is not applied`;
    return byTag?.reason === "circuit-open" ? byTag : { kind: "hold", reason: "circuit-open", detail, version, image };
  }
  const failed = images.map(versionOf).find((one) => failedVersions.includes(one));
  if (failed !== undefined) return byTag ?? hold("same-digest", `${failed} has failed before`);
  return { kind: "update", version, image, restart: true, digests };
}

/** What the containers that changed are to run. */
function imagesOf({ containers }: DigestTracking, changed: readonly string[], digests: Digests): readonly string[] {
  const moved = containers.filter(({ name }) => changed.includes(name));
  return moved.map(({ name, image }) => pinTo(image, digests[name] as string));
}
