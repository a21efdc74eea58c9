/** What went to an API server and came back. */
export interface Traffic {
  /** By kind: see request-kind.ts. */
  readonly requests: Readonly<Record<string, number>>;
  /** Of the bodies that were answered, as they are read. */
  readonly receivedBytes: number;
  /** The same as kube-apiserver sends them: compressed from 128 KiB on. null where they were not weighed. */
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

export function requestsIn({ requests }: Traffic): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}
