import { formatImageReference, type ImageReference, tagOf } from "../../image/reference.ts";
import { newestTags } from "../../version/newest-tags.ts";
import type { Decision } from "../decision/decision.ts";
import { versioningOf } from "../policy/versioning.ts";
import type { Workload } from "../workload.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

const shownTags = 3;

/** Refuses the push of a version that its repository does not list. Any other update stays. */
export function refuseUnpublished(
  { request, policy }: Workload,
  update: Update,
  image: ImageReference,
  tags: readonly string[],
): Decision {
  const version = tagOf(update.target.image);
  if (request === null || tags.includes(version)) return update;
  const repository = formatImageReference({ ...image, tag: null, digest: null });
  const newest = newestTags(tags, versioningOf(policy), shownTags);
  const known = newest.length === 0 ? "it has no versions" : `newest are ${newest.join(", ")}`;
  return { kind: "request", ...request, refusal: `${version} is not in ${repository}; ${known}` };
}
