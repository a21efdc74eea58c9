import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../listen.ts";
import { readText } from "../read-text.ts";
import { answer, type AwsService, type Reply } from "./aws-json.ts";

/** Above the largest request that either service takes (1 MB). */
const largestBodyBytes = 2 * 1024 * 1024;

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the services on 127.0.0.1. A `port` of 0 takes a free one. */
export async function startLoopbackServer(services: readonly AwsService[], port: number): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    void reply(services, request)
      .then((found) => send(response, found))
      .catch(() => response.destroy());
  });
  const { host, close } = await listen(server, port);
  return { url: `http://${host}`, close };
}

async function reply(services: readonly AwsService[], request: IncomingMessage): Promise<Reply> {
  const target = request.headers["x-amz-target"];
  if (!isLoopback(request.headers.host)) return plain(403, "this server speaks to its own machine only");
  if (request.method !== "POST" || typeof target !== "string") return plain(404, "POST / with X-Amz-Target");
  const body = await readText(request, largestBodyBytes);
  return body === null ? plain(413, "the request is too large") : answer(services, target, body);
}

/** A page in a browser that has had its own name resolve to 127.0.0.1 still sends that name. */
function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}

function plain(status: number, message: string): Reply {
  return { status, contentType: "application/x-amz-json-1.0", body: JSON.stringify({ message }) };
}

function send(response: ServerResponse, { status, contentType, body }: Reply): void {
  const closing = status === 413 ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": contentType, ...closing }).end(body);
}
