import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../listen.ts";
import { readText } from "../read-text.ts";
import { handleRequest, type AwsService, type AwsResponse } from "./aws-json.ts";

/** More than the largest request that either service accepts (1 MB). */
const maxBodyBytes = 2 * 1024 * 1024;

interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves AWS services on 127.0.0.1. If `port` is 0, a free port is used. */
export async function startLoopbackServer(services: readonly AwsService[], port: number): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    void respond(services, request)
      .then((found) => send(response, found))
      .catch(() => response.destroy());
  });
  const { host, close } = await listen(server, port);
  return { url: `http://${host}`, close };
}

async function respond(services: readonly AwsService[], request: IncomingMessage): Promise<AwsResponse> {
  const target = request.headers["x-amz-target"];
  if (!isLoopback(request.headers.host)) return messageResponse(403, "requests must use a loopback host name");
  if (request.method !== "POST" || typeof target !== "string") return messageResponse(404, "POST / with X-Amz-Target");
  const body = await readText(request, maxBodyBytes);
  return body === null ? messageResponse(413, "request too large") : handleRequest(services, target, body);
}

/** Reports whether the Host header is a loopback name. Rejects DNS rebinding from a browser. */
function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}

function messageResponse(status: number, message: string): AwsResponse {
  return { status, contentType: "application/x-amz-json-1.0", body: JSON.stringify({ message }) };
}

function send(response: ServerResponse, { status, contentType, body }: AwsResponse): void {
  const closing = status === 413 ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": contentType, ...closing }).end(body);
}
