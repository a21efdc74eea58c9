import { isSameRepository, tagOf } from "../../../../domain/image/reference.ts";
import { higherVersion } from "../../../../domain/version/compare-tags.ts";
import type { Versioning } from "../../../../domain/version/tag.ts";
import { versioningOf } from "../../../../domain/workload/policy/versioning.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { Workload } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import type { PodTemplate, Resource } from "../../objects.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";
import { listRevisionTemplates } from "../pod-template/revisions.ts";

/**
 * Adds what a workload ran before Pawl recorded any version to the first record. If that was a newer version, a person rolled it
 * back: then it is the current one, and only a newer one is applied. That includes the version of a canary that was left.
 */
export async function recordPastVersion(
  object: BuiltInObject,
  { source, policy }: Workload,
  change: Change,
  target: Resource,
  api: KubernetesApi,
): Promise<Change> {
  if (source === null) return change;
  const { own: revisions, beside } = await listRevisionTemplates(object, target, api);
  const own = revisions.map(({ template }) => template);
  const versioning = versioningOf(policy);
  const highest = highestVersion(own, source, versioning);
  if (highest === null || higherVersion(highest, tagOf(source), versioning) === tagOf(source)) return change;
  const currentVersion = highestVersion([...own, ...beside], source, versioning);
  return { ...change, updateRecord: { ...change.updateRecord, currentVersion } };
}

const isNumber = /^\d+$/;

function highestVersion(templates: readonly PodTemplate[], source: string, versioning: Versioning): string | null {
  const images = templates.flatMap(({ spec }) => spec.containers.map(({ image = "" }) => image));
  // The hash of a commit may have digits only: that is no version, unless such a tag runs.
  const isVersion = (tag: string) => !isNumber.test(tag) || isNumber.test(tagOf(source));
  const tags = images
    .filter((image) => isSameRepository(image, source))
    .map(tagOf)
    .filter(isVersion);
  return tags.reduce<string | null>((highest, tag) => higherVersion(highest, tag, versioning), null);
}
