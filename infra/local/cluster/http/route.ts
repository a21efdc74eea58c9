import { methodNotAllowed, unknownResource } from "../failure.ts";
import { namespaces, pods, type Resource } from "../resources.ts";
import type { Catalogue } from "../store/catalogue.ts";

/** What a path of the API means. `namespace` is null where all namespaces are asked for, and for kinds without one. */
export interface Route {
  readonly resource: Resource;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly half: "object" | "status";
  /** Whether the pod that it names is to be evicted. */
  readonly evicts: boolean;
}

/** null where no such group or version is served; throws 404 for a resource or subresource that the group lacks. */
export function routeOf(catalogue: Catalogue, path: string): Route | null {
  const [root, ...segments] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (root !== "api" && root !== "apis") return null;
  const [group, version] = root === "api" ? ["", segments.shift()] : [segments.shift(), segments.shift()];
  const known = catalogue.all().some((one) => one.group === group && one.version === version);
  if (!known || segments.length === 0) return null;
  const namespace = isNamespaced(group ?? "", segments) ? (segments.splice(0, 2)[1] ?? null) : null;
  const [plural = "", name = null, subresource] = segments;
  const resource = catalogue.find(group ?? "", version ?? "", plural);
  if (!resource || segments.length > 3 || (namespace !== null && !resource.namespaced)) throw unknownResource();
  const evicts = subresource === "eviction" && resource === pods;
  const isStatus = subresource === "status" && resource.hasStatus;
  if (subresource !== undefined && !isStatus && !evicts) throw unknownResource();
  return { resource, namespace, name, half: isStatus ? "status" : "object", evicts };
}

/** `namespaces/a` and `namespaces/a/status` are about the namespace itself; anything longer is within it. */
function isNamespaced(group: string, segments: readonly string[]): boolean {
  if (segments[0] !== "namespaces" || segments.length < 3) return false;
  return group !== "" || segments[2] !== "status";
}

/** Where the one object of the route lies. Throws 405 where a path without a namespace names an object that has one. */
export function placeIn(route: Route): { resource: Resource; namespace: string; name: string } {
  const { resource, namespace, name } = route;
  if (name === null || (resource.namespaced && namespace === null)) throw methodNotAllowed();
  return { resource, namespace: resource === namespaces ? "" : (namespace ?? ""), name };
}
