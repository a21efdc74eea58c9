import { summarizeList } from "../../domain/text/summarize-list.ts";
import { CrdOutdated } from "../../ports/errors.ts";
import type { Resource } from "./objects.ts";

/** Returns the paths of the fields that were sent and are not stored: an older CRD does not know them, and drops them. */
export function prunedFields(sent: unknown, stored: unknown, path = "status"): readonly string[] {
  // `null` removes a field.
  if (sent === null || sent === undefined) return [];
  if (stored === null || stored === undefined) return [path];
  if (typeof sent !== "object") return [];
  const found = stored as Readonly<Record<string, unknown>>;
  return Object.entries(sent).flatMap(([key, value]) =>
    prunedFields(value, found[key], Array.isArray(sent) ? `${path}[]` : `${path}.${key}`),
  );
}

/**
 * Reports whether an update in progress cannot be judged without a field. Without its hook it would be applied at once. Without its uid a
 * Job would never end, or end for another one. Without its comparison a test would begin again at each measurement, and without its last verdicts no failure would count. Without these times a timeout would never end, without its step a canary would begin again
 * at each check, without the token a request would be answered again at each poll, and without its floor a version that a person replaced
 * would be applied again.
 */
export function isIndispensable(path: string): boolean {
  return decisive.test(path);
}

const decisive =
  /^status\.minimumVersion$|\.(hook|jobUID|observedAt|observedTemplate|bakingSince|comparison|recent)$|^status\.(analysis|canary|lastRequest)(\.(startedAt|since|step|until|token))?$/;

/** `folder` has the newer CRD. */
export function crdOutdated(
  { plural, group }: Resource,
  pruned: readonly string[],
  folder = "infra/cluster/crds",
): CrdOutdated {
  const fields = summarizeList([...new Set(pruned)]).join(", ");
  return new CrdOutdated(
    `CustomResourceDefinition ${plural}.${group}: drops ${fields}, because it is of an older version; ` +
      `run kubectl apply -k ${folder}`,
  );
}
