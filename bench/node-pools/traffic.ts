/** Requests to an API server. */
export interface Traffic {
  /** Count by `requestKind`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Uncompressed size of the response bodies. */
  readonly receivedBytes: number;
  /** Size as kube-apiserver sends them, which compresses from 128 KiB on; null if not measured. */
  readonly compressedBytes: number | null;
}

export const noTraffic: Traffic = { requests: {}, receivedBytes: 0, compressedBytes: null };

export function withRequest(
  traffic: Traffic,
  kind: string,
  receivedBytes: number,
  compressedBytes: number | null,
): Traffic {
  const { requests, compressedBytes: before } = traffic;
  return {
    requests: { ...requests, [kind]: (requests[kind] ?? 0) + 1 },
    receivedBytes: traffic.receivedBytes + receivedBytes,
    compressedBytes: compressedBytes === null ? before : (before ?? 0) + compressedBytes,
  };
}

export function countRequests({ requests }: Traffic): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };

/**
 * Returns the verb and resource of a request to the API server, for example `list nodes`, `list nodes as metadata` or
 * `create pods/eviction`; `discover` for API discovery.
 */
export function requestKind(method: string, url: string, accept = ""): string {
  const { pathname } = new URL(url, "http://127.0.0.1");
  const [root, ...path] = pathname.split("/").filter(Boolean);
  const inVersion = path.slice(root === "api" ? 1 : 2);
  const [plural, name, subresource] =
    inVersion[0] === "namespaces" && inVersion.length > 2 ? inVersion.slice(2) : inVersion;
  if (plural === undefined) return "discover";
  const verb = method === "GET" ? (name === undefined ? "list" : "get") : (verbs[method] ?? method);
  const suffix = accept.includes("as=PartialObjectMetadata") ? " as metadata" : "";
  return `${verb} ${plural}${subresource === undefined ? "" : `/${subresource}`}${suffix}`;
}
