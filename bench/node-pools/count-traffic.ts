import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { gzipSync } from "node:zlib";
import { noTraffic, requestKind, type Traffic, withRequest } from "./traffic.ts";

export interface TrafficCounter {
  /** Returns the traffic since the last call. */
  takeTraffic(): Traffic;
  /** Returns the traffic of `run` only, with compressed sizes. `takeTraffic` does not count it. */
  countSeparately(run: () => Promise<unknown>): Promise<Traffic>;
  close(): void;
}

/** kube-apiserver compresses responses from this size at this level (k8s.io/apiserver, responsewriters). */
const gzipLevel = 1;
const minCompressedBytes = 128 * 1024;

/** A request of undici: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
interface Request {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Counts the completed requests of this process to an API server, and the bytes that it receives. */
export function countTraffic(apiServer: string): TrafficCounter {
  const received = new WeakMap<Request, number>();
  /** Kept only to be compressed. */
  const bodies = new WeakMap<Request, Buffer[]>();
  let traffic = noTraffic;
  let isCompressing = false;

  function addChunk(message: unknown): void {
    const { request, chunk } = message as { readonly request: Request; readonly chunk: Buffer };
    received.set(request, (received.get(request) ?? 0) + chunk.length);
    if (isCompressing) bodies.set(request, [...(bodies.get(request) ?? []), chunk]);
  }

  function addRequest(message: unknown): void {
    const { request } = message as { readonly request: Request };
    if (String(request.origin) !== apiServer) return;
    const bytes = received.get(request) ?? 0;
    const compressed = isCompressing ? compressedBytes(bodies.get(request) ?? [], bytes) : null;
    traffic = withRequest(traffic, requestKind(request.method, request.path, acceptOf(request)), bytes, compressed);
  }

  subscribe("undici:request:bodyChunkReceived", addChunk);
  subscribe("undici:request:trailers", addRequest);
  return {
    takeTraffic() {
      const current = traffic;
      traffic = noTraffic;
      return current;
    },
    async countSeparately(run) {
      const before = traffic;
      [traffic, isCompressing] = [noTraffic, true];
      await run();
      const separate = traffic;
      [traffic, isCompressing] = [before, false];
      return separate;
    },
    close() {
      unsubscribe("undici:request:bodyChunkReceived", addChunk);
      unsubscribe("undici:request:trailers", addRequest);
    },
  };
}

function acceptOf({ headers }: Request): string {
  return headers[headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "accept") + 1] ?? "";
}

function compressedBytes(chunks: readonly Buffer[], receivedBytes: number): number {
  return receivedBytes < minCompressedBytes
    ? receivedBytes
    : gzipSync(Buffer.concat(chunks), { level: gzipLevel }).length;
}
