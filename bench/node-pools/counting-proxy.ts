import { createServer, Agent, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { requestKind } from "./request-kind.ts";
import { noTraffic, type Traffic, withRequest } from "./traffic.ts";

export interface CountingProxy {
  readonly url: string;
  /** What has passed since it was asked last. */
  take(): Traffic;
  /** What passes while something is done, which is counted nowhere else. It is weighed compressed too. */
  aside(act: () => Promise<unknown>): Promise<Traffic>;
  close(): Promise<void>;
}

/** As kube-apiserver compresses an answer, and from what size on. */
const level = 1;
const leastBytes = 128 * 1024;

/** A reverse proxy on 127.0.0.1 that counts what passes. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let traffic = noTraffic;
  let isWeighing = false;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const answer = await ask(method, url, headers, await buffer(incoming));
    const body = await buffer(answer);
    const kind = requestKind(method, url, headers.accept);
    traffic = withRequest(traffic, kind, body.length, isWeighing ? compressedBytes(body) : null);
    const type = answer.headers["content-type"] ?? "application/json";
    outgoing.writeHead(answer.statusCode ?? 502, { "content-type": type, "content-length": body.length }).end(body);
  }

  function ask(method: string, url: string, headers: object, body: Buffer): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    send(new URL(url, target), { agent, method, headers: { ...headers } }, resolve)
      .on("error", reject)
      .end(body);
    return promise;
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(0, "127.0.0.1", resolve);
  await listening;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = traffic;
      traffic = noTraffic;
      return taken;
    },
    async aside(act) {
      const before = traffic;
      [traffic, isWeighing] = [noTraffic, true];
      await act();
      const seen = traffic;
      [traffic, isWeighing] = [before, false];
      return seen;
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
  return body.length < leastBytes ? body.length : gzipSync(body, { level }).length;
}
