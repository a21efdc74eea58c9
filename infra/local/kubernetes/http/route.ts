import { methodNotAllowed, unknownResource } from "../api-errors.ts";
import { namespaces, pods, type Resource } from "../resources.ts";
import type { ResourceRegistry } from "../store/resource-registry.ts";
import type { WriteTarget } from "../verbs/update.ts";

/** A parsed API path. `namespace` is null for requests to all namespaces and for cluster-scoped kinds. */
export interface Route {
  readonly resource: Resource;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly target: WriteTarget;
  /** Whether the path is the eviction subresource of a pod. */
  readonly isEviction: boolean;
}

/** Parses a path; null for an unknown group or version. Throws 404 for an unknown resource or subresource. */
export function parseRoute(resourceRegistry: ResourceRegistry, path: string): Route | null {
  const [root, ...segments] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (root !== "api" && root !== "apis") return null;
  const [group, version] = root === "api" ? ["", segments.shift()] : [segments.shift(), segments.shift()];
  const known = resourceRegistry.all().some((one) => one.group === group && one.version === version);
  if (!known || segments.length === 0) return null;
  const namespace = isNamespaced(group ?? "", segments) ? (segments.splice(0, 2)[1] ?? null) : null;
  const [plural = "", name = null, subresource] = segments;
  const resource = resourceRegistry.find(group ?? "", version ?? "", plural);
  if (!resource || segments.length > 3 || (namespace !== null && !resource.namespaced)) throw unknownResource();
  const isEviction = subresource === "eviction" && resource === pods;
  const isStatus = subresource === "status" && resource.hasStatus;
  if (subresource !== undefined && !isStatus && !isEviction) throw unknownResource();
  return { resource, namespace, name, target: isStatus ? "status" : "object", isEviction };
}

/** Reports whether a path is inside a namespace: `namespaces/a` and `namespaces/a/status` address the namespace itself. */
function isNamespaced(group: string, segments: readonly string[]): boolean {
  if (segments[0] !== "namespaces" || segments.length < 3) return false;
  return group !== "" || segments[2] !== "status";
}

/** Returns the reference of the route's object. Throws 405 if the path lacks the object's name or namespace. */
export function objectRef(route: Route): { resource: Resource; namespace: string; name: string } {
  const { resource, namespace, name } = route;
  if (name === null || (resource.namespaced && namespace === null)) throw methodNotAllowed();
  return { resource, namespace: resource === namespaces ? "" : (namespace ?? ""), name };
}
