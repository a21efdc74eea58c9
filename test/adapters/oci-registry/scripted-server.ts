import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createOciRegistry } from "../../../functions/adapters/oci-registry/registry.ts";
import type { RegistryOptions } from "../../../functions/adapters/oci-registry/options.ts";
import type { ImageReference } from "../../../functions/domain/image/reference.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import { listen } from "../../../infra/local/listen.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: string;
}

export interface ScriptedServer extends AsyncDisposable {
  readonly host: string;
  /** Oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** How many connections were opened to it, by any protocol. */
  readonly connections: number;
}

export type Script = (request: ReceivedRequest, response: ServerResponse, host: string) => void;

/** Starts a server on a free loopback port whose responses a script decides. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => void respond(request, response));
  let connections = 0;
  server.on("connection", () => (connections += 1));
  const { host, close } = await listen(server);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    const received: ReceivedRequest = { method, path: url, authorization: headers.authorization ?? null, body };
    requests.push(received);
    script(received, response, host);
  }

  return {
    host,
    requests,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: close,
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const secret = "hunter2-secret";
export const login = { kind: "password", username: "pawl", password: secret } as const;
export const noon = new Date("2026-11-20T12:00:00Z");

/** For requests that get no complete response. With other requests it fails on a busy machine. */
export const shortTimeout = { requestSeconds: 0.25 };

/** Creates an adapter that uses plain HTTP for these hosts. */
export function createAdapter(hosts: readonly string[], options: Partial<RegistryOptions> = {}): Registry {
  return createOciRegistry({
    credentials: async () => null,
    insecureHosts: hosts,
    now: () => noon,
    ...options,
    limits: { requestSeconds: 10, ...options.limits },
  });
}

export function imageAt(host: string, rest: Partial<ImageReference> = {}): ImageReference {
  return { registry: host, repository: "team/app", tag: null, digest: null, ...rest };
}

/** Returns the error of a promise, with everything that a log would show of it. */
export async function catchError(
  promise: Promise<unknown>,
): Promise<{ name: string; message: string; logged: string }> {
  try {
    return { name: "no error", message: JSON.stringify(await promise), logged: "" };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      name: error.name,
      message: error.message,
      logged: `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`,
    };
  }
}
