import { isDeepStrictEqual } from "node:util";
import { badRequest, conflict, invalidObject } from "../api-errors.ts";
import type { KubeObjectInput, KubeObject } from "../objects.ts";
import { applyPatch } from "../patch/apply.ts";
import { customResourceDefinitions, namespaces, type Resource } from "../resources.ts";
import { read, type Api, type ObjectRef } from "./context.ts";
import { checkKind } from "./create.ts";
import { withDefaults } from "../admission/defaults.ts";
import { nextGeneration } from "../admission/generation.ts";
import { mergeMetadata } from "../admission/metadata.ts";
import { validateObject } from "../admission/validation.ts";

/** The part that a request writes: the status is writable only through its subresource. */
export type WriteTarget = "object" | "status";

/** Replaces an object (PUT). Throws 400, 404, 409 (different resourceVersion or UID) or 422. */
export function update(api: Api, ref: ObjectRef, target: WriteTarget, input: KubeObjectInput): KubeObject {
  checkKind(ref.resource, input);
  checkName(ref, input);
  const current = read(api, ref);
  const { uid, resourceVersion } = input.metadata ?? {};
  if (uid && uid !== current.metadata.uid) throw conflict(ref.resource, ref.name, uidMismatch(uid, current));
  if (ref.resource.custom && !resourceVersion) throw resourceVersionRequired(ref);
  return write(api, ref, target, current, input);
}

/** Patches an object. The patch may contain the expected resourceVersion. Throws 400, 404, 409, 415 or 422. */
export function patch(api: Api, ref: ObjectRef, target: WriteTarget, body: unknown, contentType: string): KubeObject {
  const current = read(api, ref);
  const input = applyPatch(ref.resource, current, body, contentType);
  checkKind(ref.resource, input);
  checkName(ref, input);
  if (input.metadata?.uid !== current.metadata.uid) {
    const message = `Invalid value: "${input.metadata?.uid ?? ""}": field is immutable`;
    throw invalidObject(ref.resource, ref.name, [{ reason: "FieldValueInvalid", message, field: "metadata.uid" }]);
  }
  return write(api, ref, target, current, input);
}

function write(
  api: Api,
  { resource, name }: ObjectRef,
  target: WriteTarget,
  current: KubeObject,
  input: KubeObjectInput,
): KubeObject {
  const expected = input.metadata?.resourceVersion;
  if (expected && expected !== current.metadata.resourceVersion) throw conflict(resource, name);
  const next = target === "status" ? withStatus(resource, current, input) : withContent(resource, current, input);
  if (target === "object") validateObject(resource, next, current);
  checkFinalizers(resource, current, next);
  const generation = target === "status" ? undefined : nextGeneration(resource, current, next);
  const updated = { ...next, metadata: { ...next.metadata, ...(generation && { generation }) } };
  return isDeepStrictEqual(updated, current) ? current : store(api, resource, updated);
}

/** Stores an object, or removes it if it is terminating without grace period and its last finalizer was removed. */
function store(api: Api, resource: Resource, object: KubeObject): KubeObject {
  const { deletionGracePeriodSeconds, finalizers } = object.metadata;
  const ending = deletionGracePeriodSeconds === 0 && resource !== namespaces;
  if (ending && !finalizers) return api.store.remove(resource, object);
  const stored = api.store.put(resource, object);
  if (resource === customResourceDefinitions) api.resourceRegistry.define(stored);
  return stored;
}

function withContent(resource: Resource, current: KubeObject, input: KubeObjectInput): KubeObject {
  const metadata = mergeMetadata(current.metadata, input.metadata ?? {});
  const { status, ...content } = withDefaults(resource, { ...input, metadata });
  const kept = resource.hasStatus ? current["status"] : status;
  const { apiVersion, kind } = current;
  return { ...content, apiVersion, kind, metadata, ...(kept !== undefined && { status: kept }) };
}

/** Applies a status update. Built-in kinds accept annotations too, and labels except for Deployments; custom resources neither. */
function withStatus(resource: Resource, current: KubeObject, input: KubeObjectInput): KubeObject {
  const { status: _status, ...rest } = current;
  const status = input["status"] === undefined ? {} : { status: input["status"] };
  if (resource.custom) return { ...rest, ...status, metadata: current.metadata };
  const labels = resource.kind === "Deployment" ? current.metadata.labels : input.metadata?.labels;
  const { labels: _labels, ...sent } = input.metadata ?? {};
  return { ...rest, ...status, metadata: mergeMetadata(current.metadata, { ...sent, ...(labels && { labels }) }) };
}

function checkFinalizers(resource: Resource, current: KubeObject, next: KubeObject): void {
  if (current.metadata.deletionTimestamp === undefined) return;
  const added = (next.metadata.finalizers ?? []).filter((one) => !current.metadata.finalizers?.includes(one));
  if (added.length === 0) return;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${added.join(", ")}`;
  throw invalidObject(resource, next.metadata.name, [
    { reason: "FieldValueForbidden", message, field: "metadata.finalizers" },
  ]);
}

function checkName({ namespace, name }: ObjectRef, { metadata }: KubeObjectInput): void {
  if (metadata?.name !== name) {
    throw badRequest(`the name of the object (${metadata?.name ?? ""}) does not match the name on the URL (${name})`);
  }
  if ((metadata.namespace ?? namespace) === namespace) return;
  throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

function uidMismatch(uid: string, current: KubeObject): string {
  return `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
}

function resourceVersionRequired({ resource, name }: ObjectRef): Error {
  const message = "Invalid value: 0x0: must be specified for an update";
  return invalidObject(resource, name, [{ reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" }]);
}
