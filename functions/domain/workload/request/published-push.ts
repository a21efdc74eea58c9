import { formatImageReference, parseImageReference, tagOf } from "../../image/reference.ts";
import { truncate } from "../../text/summarize-list.ts";
import { newestTags } from "../../version/newest-tags.ts";
import type { Decision } from "../decision/decision.ts";
import { versioningOf } from "../policy/versioning.ts";
import type { Workload } from "../workload.ts";

const shownTags = 3;

/** Refuses the push of a version that its registry does not list. Any other decision stays. */
export function refuseUnpublished(workload: Workload, decision: Decision, tags: readonly string[]): Decision {
  const { request, policy } = workload;
  if (decision.kind !== "update" || request === null) return decision;
  const version = tagOf(decision.target.image);
  if (tags.includes(version)) return decision;
  const image = parseImageReference(decision.target.image);
  const repository = "kind" in image ? "" : formatImageReference({ ...image, tag: null, digest: null });
  const newest = newestTags(tags, versioningOf(policy), shownTags).map((tag) => truncate(tag));
  const known = newest.length === 0 ? "it has no versions" : `newest are ${newest.join(", ")}`;
  return { kind: "request", ...request, refusal: `${version} is not in ${repository}; ${known}` };
}
