import { apiVersionOf, pods, type Resource } from "../resources.ts";
import type { ResourceRegistry } from "../store/resource-registry.ts";

/** Returns the body for health, version and discovery paths; undefined for other paths. A string is sent as plain text. */
export function discover(resourceRegistry: ResourceRegistry, path: string): unknown {
  if (["/readyz", "/healthz", "/livez"].includes(path)) return "ok";
  if (path === "/version") return { major: "1", minor: "20", gitVersion: "v1.20.2-pawl", platform: "embedded" };
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
  const groups = groupsOf(resourceRegistry.all());
  if (path === "/apis") return { kind: "APIGroupList", apiVersion: "v1", groups };
  const [, root, ...rest] = path.split("/");
  if (root === "apis" && rest.length === 1) {
    const group = groups.find(({ name }) => name === rest[0]);
    return group && { kind: "APIGroup", apiVersion: "v1", ...group };
  }
  const isVersion = (root === "api" && rest.length === 1) || (root === "apis" && rest.length === 2);
  return isVersion ? resourceList(resourceRegistry, rest.join("/")) : undefined;
}

function groupsOf(resources: readonly Resource[]) {
  const names = new Set(resources.map(({ group }) => group).filter((group) => group !== ""));
  return [...names].map((name) => {
    const own = resources.filter(({ group }) => group === name).map(({ version }) => version);
    const versions = [...new Set(own)].map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { name, versions, preferredVersion: versions[0] };
  });
}

function resourceList(resourceRegistry: ResourceRegistry, groupVersion: string): unknown {
  const served = resourceRegistry.all().filter((resource) => apiVersionOf(resource) === groupVersion);
  if (served.length === 0) return undefined;
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: served.flatMap(entries) };
}

function entries(resource: Resource): readonly unknown[] {
  const { plural, singular, kind, namespaced, shortNames, hasStatus } = resource;
  const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
  };
  const status = { name: `${plural}/status`, singularName: "", namespaced, kind, verbs: ["get", "patch", "update"] };
  return [own, ...(hasStatus ? [status] : []), ...(resource === pods ? [eviction] : [])];
}

const eviction = {
  name: "pods/eviction",
  singularName: "",
  namespaced: true,
  group: "policy",
  version: "v1",
  kind: "Eviction",
  verbs: ["create"],
};
