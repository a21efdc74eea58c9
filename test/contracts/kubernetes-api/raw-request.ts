import { request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { text } from "node:stream/consumers";
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
  const own = { accept, "content-type": contentType, "content-length": Buffer.byteLength(data) };
  const options: RequestOptions = { method, headers: own };
  await kubeConfig.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const outgoing = send(url, options, (response) => {
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
