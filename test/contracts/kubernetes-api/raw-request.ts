import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { text as readText } from "node:stream/consumers";
import type { KubeConfig } from "@kubernetes/client-node";

export interface RawRequest {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

interface Deep {
  readonly [field: string]: Deep;
}

/** A JSON document as the server wrote it: an object, a list of them or a Status. */
export interface Doc {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly generation?: number;
    readonly labels?: object;
    readonly annotations?: object;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: readonly Doc[];
  readonly resources?: readonly object[];
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Deep;
  readonly status?: Deep;
  readonly message?: string;
  readonly details?: object;
}

export interface RawResponse {
  readonly code: number;
  readonly text: string;
  /** An empty document if the response is not JSON. */
  readonly body: Doc;
}

/** Sends one HTTP request, and returns the status code and text that the typed client hides. */
export async function rawRequest(
  kubeConfig: KubeConfig,
  method: string,
  path: string,
  { body, contentType = "application/json", accept = "application/json" }: RawRequest,
): Promise<RawResponse> {
  const url = new URL(path, kubeConfig.getCurrentCluster()?.server);
  const data = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const own = { accept, "content-type": contentType, "content-length": Buffer.byteLength(data) };
  const options: RequestOptions = { method, headers: own };
  await kubeConfig.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const outgoing = send(url, options, (response) => {
    readText(response).then((text) => resolve({ code: response.statusCode ?? 0, text, body: parseBody(text) }), reject);
  });
  outgoing.on("error", reject).end(data);
  return promise;
}

function parseBody(text: string): Doc {
  return text.startsWith("{") ? (JSON.parse(text) as Doc) : {};
}
