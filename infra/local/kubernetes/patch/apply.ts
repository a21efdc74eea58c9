import { badRequest, unsupportedMediaType } from "../api-errors.ts";
import { isFields, type KubeObjectInput, type KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";
import { jsonPatch } from "./json-patch.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

/** Returns the patched object, not yet validated. Server-side apply is not supported. */
export function applyPatch(
  resource: Resource,
  object: KubeObject,
  patch: unknown,
  contentType: string,
): KubeObjectInput {
  const patched = selectPatch(resource, contentType)(object, patch);
  if (!isFields(patched)) throw badRequest("the result of the patch is not an object");
  return patched;
}

function selectPatch(resource: Resource, contentType: string): (object: unknown, patch: unknown) => unknown {
  if (contentType === json) return jsonPatch;
  if (contentType === merge) return applyMergePatch;
  if (contentType === strategic && !resource.custom) return strategicMergePatch;
  throw unsupportedMediaType(resource.custom ? [json, merge] : [json, merge, strategic]);
}

/** Applies a JSON Merge Patch (RFC 7386): null removes a field, objects are merged, other values are replaced. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const merged: Record<string, unknown> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = applyMergePatch(merged[key], value);
  }
  return merged;
}
