import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { text } from "node:stream/consumers";
import type { KubeConfig } from "@kubernetes/client-node";

export interface RawRequest {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

/** A JSON document as the server wrote it; `typescript/no-explicit-any` is kept by looking into it no deeper than a test says. */
export interface Doc {
  readonly [field: string]: Doc;
}

export interface RawAnswer {
  readonly code: number;
  readonly text: string;
  /** An empty document where the answer is not JSON. */
  readonly body: Doc;
}

/** One request as it goes over the wire, which the typed client does not show. */
export async function rawRequest(
  kubeConfig: KubeConfig,
  method: string,
  path: string,
  { body, contentType = "application/json", accept = "application/json" }: RawRequest,
): Promise<RawAnswer> {
  const url = new URL(path, kubeConfig.getCurrentCluster()?.server);
  const data = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const headers = { accept, "content-type": contentType, "content-length": Buffer.byteLength(data) };
  const options: RequestOptions = { method, headers };
  await kubeConfig.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const outgoing = send(url, { ...options, headers: { ...options.headers, ...headers } }, (response) => {
    text(response).then(
      (answer) => resolve({ code: response.statusCode ?? 0, text: answer, body: parsed(answer) }),
      reject,
    );
  });
  outgoing.on("error", reject).end(data);
  return promise;
}

function parsed(answer: string): Doc {
  return answer.startsWith("{") ? (JSON.parse(answer) as Doc) : {};
}
