import { badRequest, unsupportedMediaType } from "../failure.ts";
import { isFields, type Draft, type KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";
import { jsonPatch } from "./json-patch.ts";
import { mergePatch } from "./merge-patch.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

/** The object with the patch applied, not yet checked. Server-side apply is not served. */
export function applyPatch(resource: Resource, object: KubeObject, patch: unknown, contentType: string): Draft {
  const patched = patcherFor(resource, contentType)(object, patch);
  if (!isFields(patched)) throw badRequest("the patch leaves no object");
  return patched;
}

function patcherFor(resource: Resource, contentType: string): (object: unknown, patch: unknown) => unknown {
  if (contentType === json) return jsonPatch;
  if (contentType === merge) return mergePatch;
  if (contentType === strategic && !resource.custom) return strategicMergePatch;
  throw unsupportedMediaType(resource.custom ? [json, merge] : [json, merge, strategic]);
}
