import { createServer, Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { noTraffic, requestKind, type Traffic, withRequest } from "./traffic.ts";

export interface CountingProxy {
  readonly url: string;
  /** Returns the traffic since the last call. */
  takeTraffic(): Traffic;
  /** Returns the traffic of `run` only, with compressed sizes. `takeTraffic` does not count it. */
  countSeparately(run: () => Promise<unknown>): Promise<Traffic>;
  close(): Promise<void>;
}

/** kube-apiserver compresses responses from this size at this level (k8s.io/apiserver, responsewriters). */
const gzipLevel = 1;
const minCompressedBytes = 128 * 1024;

/** Starts a reverse proxy on 127.0.0.1 that counts requests and received bytes. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let traffic = noTraffic;
  let isCompressing = false;

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const response = await send(method, url, headers, await buffer(incoming));
    const body = await buffer(response);
    const kind = requestKind(method, url, headers.accept);
    traffic = withRequest(traffic, kind, body.length, isCompressing ? compressedBytes(body) : null);
    const type = response.headers["content-type"] ?? "application/json";
    outgoing.writeHead(response.statusCode ?? 502, { "content-type": type, "content-length": body.length }).end(body);
  }

  function send(method: string, url: string, headers: object, body: Buffer): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(new URL(url, target), { agent, method, headers: { ...headers } }, resolve)
      .on("error", reject)
      .end(body);
    return promise;
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(0, "127.0.0.1", resolve);
  await listening;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
    async close() {
      agent.destroy();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function compressedBytes(body: Buffer): number {
  return body.length < minCompressedBytes ? body.length : gzipSync(body, { level: gzipLevel }).length;
}
