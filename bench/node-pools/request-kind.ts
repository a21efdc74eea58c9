const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };

/**
 * What a request to the API server is, such as `list nodes`, `list nodes as metadata`, `create pods/eviction`; `discover` asks what
 * is served.
 */
export function requestKind(method: string, url: string, accept = ""): string {
  const { pathname } = new URL(url, "http://127.0.0.1");
  const [root, ...path] = pathname.split("/").filter(Boolean);
  const inVersion = path.slice(root === "api" ? 1 : 2);
  const [plural, name, subresource] =
    inVersion[0] === "namespaces" && inVersion.length > 2 ? inVersion.slice(2) : inVersion;
  if (plural === undefined) return "discover";
  const verb = method === "GET" ? (name === undefined ? "list" : "get") : (verbs[method] ?? method);
  const form = accept.includes("as=PartialObjectMetadata") ? " as metadata" : "";
  return `${verb} ${plural}${subresource === undefined ? "" : `/${subresource}`}${form}`;
}
