import diagnostics from "node:diagnostics_channel";
import { IncomingMessage, Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { currentInvocation } from "./invocation.ts";

/** A request that reached a server of this process. */
export interface Arrival {
  /** Who sent it; null for requests of the test itself. */
  readonly invocation: string | null;
  readonly method: string;
  readonly path: string;
  /** The operation of an AWS service; null for other requests. */
  readonly operation: string | null;
  readonly body: string;
  readonly response: ServerResponse;
  /** Lets the server handle the request. */
  pass(): void;
}

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;

const header = "x-invocation";

/**
 * Passes every request that a server of this process receives to `onArrival`, before the server itself gets it. Clients are not
 * changed: a header names the function that sends a request. Returns a function that ends this.
 */
export function interceptRequests(onArrival: (arrival: Arrival) => void): () => void {
  const tagUndici = (message: unknown) => {
    const { request } = message as { readonly request: { addHeader(name: string, value: string): void } };
    const sender = currentInvocation();
    if (sender !== undefined) request.addHeader(header, sender.id);
  };
  const tagNode = (message: unknown) => {
    const { request } = message as { readonly request: { setHeader(name: string, value: string): void } };
    const sender = currentInvocation();
    if (sender !== undefined) request.setHeader(header, sender.id);
  };
  // Node's HTTP server has no middleware.
  const { emit } = Server.prototype as { readonly emit: Emit };
  Server.prototype.emit = function intercepted(this: Server, event: string | symbol, ...args: unknown[]): boolean {
    const [request, response] = args;
    if (event !== "request" || !(request instanceof IncomingMessage)) return emit.call(this, event, ...args);
    const pass = (incoming: IncomingMessage) => void emit.call(this, event, incoming, response);
    void receive(request, response as ServerResponse, pass).then(onArrival, () => undefined);
    return true;
  };
  diagnostics.subscribe("undici:request:create", tagUndici);
  diagnostics.subscribe("http.client.request.created", tagNode);
  return () => {
    Server.prototype.emit = emit;
    diagnostics.unsubscribe("undici:request:create", tagUndici);
    diagnostics.unsubscribe("http.client.request.created", tagNode);
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  pass: (request: IncomingMessage) => void,
): Promise<Arrival> {
  const { method = "", url = "", headers } = request;
  const [sender, target] = [headers[header], headers["x-amz-target"]];
  const isEmpty = method === "GET" || method === "HEAD";
  const body = isEmpty ? Buffer.alloc(0) : await buffer(request);
  // The body is read: the server gets a copy.
  const copy = () => Object.assign(Readable.from([body]), { method, url, headers }) as unknown as IncomingMessage;
  return {
    invocation: typeof sender === "string" ? sender : null,
    method,
    path: url,
    operation: typeof target === "string" ? (target.split(".").at(-1) ?? null) : null,
    body: body.toString(),
    response,
    pass: () => pass(isEmpty ? request : copy()),
  };
}
