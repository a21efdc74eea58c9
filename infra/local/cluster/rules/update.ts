import { isDeepStrictEqual } from "node:util";
import { badRequest, conflict, invalid } from "../failure.ts";
import type { Draft, KubeObject } from "../objects.ts";
import { applyPatch } from "../patch/apply.ts";
import { customResourceDefinitions, namespaces, type Resource } from "../resources.ts";
import { read, type Api, type Place } from "./api.ts";
import { checkKind } from "./create.ts";
import { withDefaults } from "./defaults.ts";
import { generationAfter } from "./generation.ts";
import { mergedMetadata } from "./metadata.ts";
import { validate } from "./validation.ts";

/** Which half a request writes: a status is written through its own path, and only there. */
export type Half = "object" | "status";

/** Replaces an object (PUT). Throws 400, 404, 409 (another revision or another uid) or 422. */
export function update(api: Api, place: Place, half: Half, draft: Draft): KubeObject {
  checkKind(place.resource, draft);
  checkName(place, draft);
  const current = read(api, place);
  const { uid, resourceVersion } = draft.metadata ?? {};
  if (uid && uid !== current.metadata.uid) throw conflict(place.resource, place.name, differentUid(uid, current));
  if (place.resource.custom && !resourceVersion) throw mustHaveRevision(place);
  return write(api, place, half, current, draft);
}

/** Patches an object. The patch may carry the resourceVersion it was decided on. Throws 400, 404, 409, 415 or 422. */
export function patch(api: Api, place: Place, half: Half, body: unknown, contentType: string): KubeObject {
  const current = read(api, place);
  const draft = applyPatch(place.resource, current, body, contentType);
  checkKind(place.resource, draft);
  checkName(place, draft);
  if (draft.metadata?.uid !== current.metadata.uid) {
    const message = `Invalid value: "${draft.metadata?.uid ?? ""}": field is immutable`;
    throw invalid(place.resource, place.name, [{ reason: "FieldValueInvalid", message, field: "metadata.uid" }]);
  }
  return write(api, place, half, current, draft);
}

function write(api: Api, { resource, name }: Place, half: Half, current: KubeObject, draft: Draft): KubeObject {
  const asked = draft.metadata?.resourceVersion;
  if (asked && asked !== current.metadata.resourceVersion) throw conflict(resource, name);
  const next = half === "status" ? withStatus(resource, current, draft) : withContent(resource, current, draft);
  if (half === "object") validate(resource, next, current);
  checkFinalizers(resource, current, next);
  const generation = half === "status" ? undefined : generationAfter(resource, current, next);
  const settled = { ...next, metadata: { ...next.metadata, ...(generation && { generation }) } };
  return isDeepStrictEqual(settled, current) ? current : store(api, resource, settled);
}

/** The last finalizer taken away is the end of an object that was deleted before, unless its grace still runs. */
function store(api: Api, resource: Resource, object: KubeObject): KubeObject {
  const { deletionGracePeriodSeconds, finalizers } = object.metadata;
  const ending = deletionGracePeriodSeconds === 0 && resource !== namespaces;
  if (ending && !finalizers) return api.store.remove(resource, object);
  const stored = api.store.put(resource, object);
  if (resource === customResourceDefinitions) api.catalogue.define(stored);
  return stored;
}

function withContent(resource: Resource, current: KubeObject, draft: Draft): KubeObject {
  const metadata = mergedMetadata(current.metadata, draft.metadata ?? {});
  const { status, ...content } = withDefaults(resource, { ...draft, metadata });
  const kept = resource.hasStatus ? current["status"] : status;
  const { apiVersion, kind } = current;
  return { ...content, apiVersion, kind, metadata, ...(kept !== undefined && { status: kept }) };
}

/** A built-in kind lets annotations through with its status, and a Deployment no labels; a custom resource nothing. */
function withStatus(resource: Resource, current: KubeObject, draft: Draft): KubeObject {
  const { status: _status, ...rest } = current;
  const status = draft["status"] === undefined ? {} : { status: draft["status"] };
  if (resource.custom) return { ...rest, ...status, metadata: current.metadata };
  const labels = resource.kind === "Deployment" ? current.metadata.labels : draft.metadata?.labels;
  const { labels: _labels, ...asked } = draft.metadata ?? {};
  return { ...rest, ...status, metadata: mergedMetadata(current.metadata, { ...asked, ...(labels && { labels }) }) };
}

function checkFinalizers(resource: Resource, current: KubeObject, next: KubeObject): void {
  if (current.metadata.deletionTimestamp === undefined) return;
  const added = (next.metadata.finalizers ?? []).filter((one) => !current.metadata.finalizers?.includes(one));
  if (added.length === 0) return;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${added.join(", ")}`;
  throw invalid(resource, next.metadata.name, [
    { reason: "FieldValueForbidden", message, field: "metadata.finalizers" },
  ]);
}

function checkName({ namespace, name }: Place, { metadata }: Draft): void {
  if (metadata?.name !== name) {
    throw badRequest(`the name of the object (${metadata?.name ?? ""}) does not match the name on the URL (${name})`);
  }
  if ((metadata.namespace ?? namespace) === namespace) return;
  throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

function differentUid(uid: string, current: KubeObject): string {
  return `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
}

function mustHaveRevision({ resource, name }: Place): Error {
  const message = "Invalid value: 0x0: must be specified for an update";
  return invalid(resource, name, [{ reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" }]);
}
