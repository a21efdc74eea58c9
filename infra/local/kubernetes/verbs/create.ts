import { randomUUID } from "node:crypto";
import { alreadyExists, badRequest, forbidden, invalidObject, notFound, ApiError } from "../api-errors.ts";
import { randomSuffix } from "../encode-name.ts";
import { timestamp, type KubeObjectInput, type KubeObject, type ObjectMeta } from "../objects.ts";
import {
  apiVersionOf,
  customResourceDefinitions,
  namespaces,
  pods,
  statefulSets,
  type Resource,
} from "../resources.ts";
import type { Api } from "./context.ts";
import { withDefaults } from "../admission/defaults.ts";
import { omitEmpty } from "../admission/metadata.ts";
import { validateObject } from "../admission/validation.ts";

/**
 * Creates an object. Throws 400 (wrong kind or namespace), 403 (namespace is terminating), 404 (no such namespace), 409
 * (the name exists) or 422.
 */
export function create(api: Api, resource: Resource, namespace: string, input: KubeObjectInput): KubeObject {
  checkKind(resource, input);
  checkNamespace(api, resource, namespace, input);
  if (input.metadata?.resourceVersion) throw resourceVersionNotAllowed();
  const metadata = initialMetadata(api, resource, namespace, input.metadata ?? {});
  const { status: _status, ...rest } = withDefaults(resource, { ...input, metadata });
  validateObject(resource, { ...rest, metadata }, null);
  if (api.store.get(resource, namespace, metadata.name)) throw alreadyExists(resource, metadata.name);
  const content = resource.hasStatus ? { ...rest, ...initialStatus(resource) } : { ...rest, ...statusOf(input) };
  const object = { ...content, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: omitEmpty(metadata) };
  const stored = api.store.put(resource, object);
  if (resource === customResourceDefinitions) establish(api, stored);
  return stored;
}

/** Throws if apiVersion or kind is wrong. Built-in kinds may omit both. */
export function checkKind(resource: Resource, input: KubeObjectInput): void {
  const { apiVersion = resource.custom ? "" : apiVersionOf(resource), kind = resource.custom ? "" : resource.kind } =
    input;
  if (resource.custom && kind !== "" && kind !== resource.kind) {
    const message = `Invalid value: "${kind}": must be ${resource.kind}`;
    throw invalidObject(resource, input.metadata?.name ?? "", [
      { reason: "FieldValueInvalid", message, field: "kind" },
    ]);
  }
  if (apiVersion === apiVersionOf(resource) && kind === resource.kind) return;
  throw badRequest(`${kind} in version "${apiVersion}" cannot be handled as a ${resource.kind}`);
}

function checkNamespace(api: Api, resource: Resource, namespace: string, input: KubeObjectInput): void {
  const sent = input.metadata?.namespace;
  if (sent !== undefined && sent !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (!resource.namespaced) return;
  const owner = api.store.get(namespaces, "", namespace);
  if (!owner) throw notFound(namespaces, namespace);
  if (owner.metadata.deletionTimestamp === undefined) return;
  const reason = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(resource, input.metadata?.name ?? "", reason, {
    reason: "NamespaceTerminating",
    message,
    field: "metadata.namespace",
  });
}

function resourceVersionNotAllowed(): ApiError {
  return new ApiError(500, undefined, "resourceVersion should not be set on objects to be created");
}

function initialMetadata(api: Api, resource: Resource, namespace: string, sent: Partial<ObjectMeta>): ObjectMeta {
  const { labels, annotations, ownerReferences, finalizers, generateName } = sent;
  return {
    name: sent.name || (generateName ? generateName + randomSuffix() : ""),
    ...(generateName && { generateName }),
    ...(resource.namespaced && { namespace }),
    uid: randomUUID(),
    resourceVersion: "",
    creationTimestamp: timestamp(api.now()),
    ...(resource.generationScope !== "none" && { generation: 1 }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
}

function statusOf(input: KubeObjectInput): Record<string, unknown> {
  return input["status"] === undefined ? {} : { status: input["status"] };
}

function initialStatus(resource: Resource): Record<string, unknown> {
  if (resource.custom) return {};
  if (resource === namespaces) return { status: { phase: "Active" } };
  if (resource === pods) return { status: { phase: "Pending" } };
  return { status: resource === statefulSets ? { replicas: 0 } : {} };
}

function establish(api: Api, crd: KubeObject): void {
  const lastTransitionTime = timestamp(api.now());
  const conditions = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True", lastTransitionTime }));
  api.resourceRegistry.define(crd);
  api.store.put(customResourceDefinitions, { ...crd, status: { conditions } });
  const served = api.resourceRegistry
    .all()
    .filter((one) => one.custom && crd.metadata.name === `${one.plural}.${one.group}`);
  for (const resource of served) api.store.oldestRevision(resource);
}
