export type RequestKind = "ping" | "tags" | "manifest" | "blob" | "other";

/** Requests of one contender. */
export interface RequestCounts {
  readonly requests: Readonly<Record<RequestKind, number>>;
  readonly peakInFlight: number;
  readonly connections: number;
}

export interface RequestCounter {
  onRequest(path: string): void;
  onResponse(): void;
  onConnection(): void;
  /** Returns the counts since the last call. */
  takeCounts(): RequestCounts;
}

const noRequests = { ping: 0, tags: 0, manifest: 0, blob: 0, other: 0 } satisfies Record<RequestKind, number>;

export function createRequestCounter(): RequestCounter {
  let requests = { ...noRequests };
  let inFlight = 0;
  let peakInFlight = 0;
  let connections = 0;
  return {
    onRequest(path) {
      requests[requestKind(path)] += 1;
      inFlight += 1;
      peakInFlight = Math.max(peakInFlight, inFlight);
    },
    onResponse: () => void (inFlight -= 1),
    onConnection: () => void (connections += 1),
    takeCounts() {
      const counts = { requests, peakInFlight, connections };
      [requests, peakInFlight, connections] = [{ ...noRequests }, inFlight, 0];
      return counts;
    },
  };
}

export function countRequests({ requests }: RequestCounts): number {
  return Object.values(requests).reduce((sum, one) => sum + one, 0);
}

function requestKind(path: string): RequestKind {
  if (path === "/v2/") return "ping";
  if (path.endsWith("/tags/list")) return "tags";
  if (path.includes("/manifests/")) return "manifest";
  return path.includes("/blobs/") ? "blob" : "other";
}
