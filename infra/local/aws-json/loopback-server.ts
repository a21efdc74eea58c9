import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../listen.ts";
import { readText } from "../read-text.ts";
import { AwsError } from "./aws-error.ts";
import { handleRequest, type AwsService, type AwsResponse } from "./aws-json.ts";

/** More than the largest request that either service accepts (1 MB). */
const maxBodyBytes = 2 * 1024 * 1024;

interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface LoopbackOptions {
  /** If it is 0, a free port is used. */
  readonly port: number;
  /** Only requests that are signed with this access key are served: every user of the machine can connect to a port. */
  readonly accessKeyId: string;
}

/** Serves AWS services on 127.0.0.1. */
export async function startLoopbackServer(
  services: readonly AwsService[],
  { port, accessKeyId }: LoopbackOptions,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    void respond(services, accessKeyId, request)
      .then((found) => send(response, found))
      .catch(() => response.destroy());
  });
  const { host, close } = await listen(server, port);
  return { url: `http://${host}`, close };
}

async function respond(
  services: readonly AwsService[],
  accessKeyId: string,
  request: IncomingMessage,
): Promise<AwsResponse> {
  const target = request.headers["x-amz-target"];
  if (!isLoopback(request.headers.host)) return messageResponse(403, "requests must use a loopback host name");
  if (request.method !== "POST" || typeof target !== "string") return messageResponse(404, "POST / with X-Amz-Target");
  if (!hasAccessKey(request.headers.authorization, accessKeyId)) return errorResponse(wrongAccessKey);
  const body = await readText(request, maxBodyBytes);
  return body === null ? messageResponse(413, "request too large") : handleRequest(services, target, body);
}

const wrongAccessKey = new AwsError(
  "UnrecognizedClientException",
  "The access key is not the one of this endpoint: set AWS_ACCESS_KEY_ID to what `pawl local` printed.",
  403,
);

/**
 * Compares the access key of `Authorization: AWS4-HMAC-SHA256 Credential=KEY/…`. The key is random, and serves as a token; the
 * signature is not verified.
 */
function hasAccessKey(authorization: string | undefined, accessKeyId: string): boolean {
  const [, received = ""] = /Credential=([^/,\s]+)/.exec(authorization ?? "") ?? [];
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(received), digest(accessKeyId));
}

/** Reports whether the Host header is a loopback name. Rejects DNS rebinding from a browser. */
function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}

function errorResponse({ status, name, message }: AwsError): AwsResponse {
  return { ...messageResponse(status, message), body: JSON.stringify({ __type: name, message }) };
}

function messageResponse(status: number, message: string): AwsResponse {
  return { status, contentType: "application/x-amz-json-1.0", body: JSON.stringify({ message }) };
}

function send(response: ServerResponse, { status, contentType, body }: AwsResponse): void {
  const closing = status === 413 ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": contentType, ...closing }).end(body);
}
