import { randomUUID } from "node:crypto";
import { alreadyExists, badRequest, forbidden, invalid, notFound, RequestRefused } from "../failure.ts";
import { timestamp, type Draft, type KubeObject, type ObjectMeta } from "../objects.ts";
import {
  apiVersionOf,
  customResourceDefinitions,
  namespaces,
  pods,
  statefulSets,
  type Resource,
} from "../resources.ts";
import type { Api } from "./api.ts";
import { withDefaults } from "./defaults.ts";
import { tidy } from "./metadata.ts";
import { validate } from "./validation.ts";

/**
 * Stores a new object. Throws 400 (of another kind or namespace), 403 or 404 (its namespace ends or is missing), 409
 * (the name is taken) or 422.
 */
export function create(api: Api, resource: Resource, namespace: string, draft: Draft): KubeObject {
  checkKind(resource, draft);
  checkNamespace(api, resource, namespace, draft);
  if (draft.metadata?.resourceVersion) throw noRevisionYet();
  const metadata = firstMetadata(api, resource, namespace, draft.metadata ?? {});
  const { status: _status, ...rest } = withDefaults(resource, { ...draft, metadata });
  validate(resource, { ...rest, metadata }, null);
  if (api.store.get(resource, namespace, metadata.name)) throw alreadyExists(resource, metadata.name);
  const content = resource.hasStatus ? { ...rest, ...firstStatus(resource) } : { ...rest, ...statusOf(draft) };
  const object = { ...content, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: tidy(metadata) };
  const stored = api.store.put(resource, object);
  if (resource === customResourceDefinitions) establish(api, stored);
  return stored;
}

/** Built-in kinds may leave apiVersion and kind out; what they say must be right. */
export function checkKind(resource: Resource, draft: Draft): void {
  const { apiVersion = resource.custom ? "" : apiVersionOf(resource), kind = resource.custom ? "" : resource.kind } =
    draft;
  if (resource.custom && kind !== "" && kind !== resource.kind) {
    const message = `Invalid value: "${kind}": must be ${resource.kind}`;
    throw invalid(resource, draft.metadata?.name ?? "", [{ reason: "FieldValueInvalid", message, field: "kind" }]);
  }
  if (apiVersion === apiVersionOf(resource) && kind === resource.kind) return;
  throw badRequest(`${kind} in version "${apiVersion}" cannot be handled as a ${resource.kind}`);
}

function checkNamespace(api: Api, resource: Resource, namespace: string, draft: Draft): void {
  const said = draft.metadata?.namespace;
  if (said !== undefined && said !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (!resource.namespaced) return;
  const owner = api.store.get(namespaces, "", namespace);
  if (!owner) throw notFound(namespaces, namespace);
  if (owner.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(resource, draft.metadata?.name ?? "", why, {
    reason: "NamespaceTerminating",
    message,
    field: "metadata.namespace",
  });
}

function noRevisionYet(): RequestRefused {
  return new RequestRefused(500, undefined, "resourceVersion should not be set on objects to be created");
}

function firstMetadata(api: Api, resource: Resource, namespace: string, sent: Partial<ObjectMeta>): ObjectMeta {
  const { labels, annotations, ownerReferences, finalizers, generateName } = sent;
  return {
    name: sent.name || (generateName ? generateName + randomUUID().slice(0, 5) : ""),
    ...(generateName && { generateName }),
    ...(resource.namespaced && { namespace }),
    uid: randomUUID(),
    resourceVersion: "",
    creationTimestamp: timestamp(api.now()),
    ...(resource.generationOf !== "none" && { generation: 1 }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
}

function statusOf(draft: Draft): Record<string, unknown> {
  return draft["status"] === undefined ? {} : { status: draft["status"] };
}

function firstStatus(resource: Resource): Record<string, unknown> {
  if (resource.custom) return {};
  if (resource === namespaces) return { status: { phase: "Active" } };
  if (resource === pods) return { status: { phase: "Pending" } };
  return { status: resource === statefulSets ? { replicas: 0 } : {} };
}

function establish(api: Api, crd: KubeObject): void {
  const lastTransitionTime = timestamp(api.now());
  const conditions = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True", lastTransitionTime }));
  api.catalogue.define(crd);
  api.store.put(customResourceDefinitions, { ...crd, status: { conditions } });
  const served = api.catalogue.all().filter((one) => one.custom && crd.metadata.name === `${one.plural}.${one.group}`);
  for (const resource of served) api.store.startOf(resource);
}
