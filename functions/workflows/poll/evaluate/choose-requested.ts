import { parseImageReference } from "../../../domain/image/reference.ts";
import type { Decision } from "../../../domain/workload/decision/decision.ts";
import { refuseUnpublished } from "../../../domain/workload/request/published-push.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { checkConfig } from "./check-config.ts";
import { decideByDigests } from "./decide-by-registry.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";
import { resolveCandidate } from "./resolve-candidate.ts";

/** A version that a person pushes must be published, also its manifest. */
export async function chooseRequested(
  ports: EvaluationPorts,
  workload: Workload,
  requested: Extract<Decision, { readonly kind: "update" }>,
  now: Date,
): Promise<Decision> {
  const checked = await checkPublished(ports, workload, requested);
  if (checked.kind !== "update") return checked;
  return checkConfig(ports, workload, await withDigests(ports, workload, checked, now), now);
}

/** Lists the tags, and resolves one, only for a push: a release names an image that ran. */
async function checkPublished(
  { cluster, registry }: EvaluationPorts,
  workload: Workload,
  requested: Extract<Decision, { readonly kind: "update" }>,
): Promise<Decision> {
  const image = parseImageReference(requested.target.image);
  if (requested.target.kind !== "image" || "kind" in image) return requested;
  const logins = await cluster.pullSecrets(workload);
  const tags = await registry.listTags(image, logins, workload.ref.namespace);
  const checked = refuseUnpublished(workload, requested, image, tags);
  return checked.kind === "update" ? resolveCandidate(registry, workload, checked, logins) : checked;
}

/** Adds the digests of the tags that a person's version leaves or brings: without them it would be restarted after the update. */
async function withDigests(
  ports: EvaluationPorts,
  workload: Workload,
  requested: Extract<Decision, { readonly kind: "update" }>,
  now: Date,
): Promise<Decision> {
  if (workload.digests === null) return requested;
  const logins = await ports.cluster.pullSecrets(workload);
  return decideByDigests(ports, workload, requested, logins, now);
}
