export type Kind = "ping" | "tags" | "manifest" | "blob" | "other";

/** What one contender asked for. */
export interface Counts {
  readonly requests: Readonly<Record<Kind, number>>;
  readonly peakInFlight: number;
  readonly connections: number;
}

export interface Counter {
  begin(path: string): void;
  end(): void;
  connected(): void;
  /** What was counted since the last time. */
  take(): Counts;
}

const nothing = { ping: 0, tags: 0, manifest: 0, blob: 0, other: 0 } satisfies Record<Kind, number>;

export function counter(): Counter {
  let requests = { ...nothing };
  let inFlight = 0;
  let peakInFlight = 0;
  let connections = 0;
  return {
    begin(path) {
      requests[kindOf(path)] += 1;
      inFlight += 1;
      peakInFlight = Math.max(peakInFlight, inFlight);
    },
    end: () => void (inFlight -= 1),
    connected: () => void (connections += 1),
    take() {
      const counts = { requests, peakInFlight, connections };
      [requests, peakInFlight, connections] = [{ ...nothing }, inFlight, 0];
      return counts;
    },
  };
}

export function totalOf({ requests }: Counts): number {
  return Object.values(requests).reduce((sum, one) => sum + one, 0);
}

function kindOf(path: string): Kind {
  if (path === "/v2/") return "ping";
  if (path.endsWith("/tags/list")) return "tags";
  if (path.includes("/manifests/")) return "manifest";
  return path.includes("/blobs/") ? "blob" : "other";
}
