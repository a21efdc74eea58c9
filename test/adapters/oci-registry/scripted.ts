import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ociRegistry } from "../../../functions/adapters/oci-registry/registry.ts";
import type { RegistrySettings } from "../../../functions/adapters/oci-registry/settings.ts";
import type { ImageReference } from "../../../functions/domain/image-reference.ts";
import type { Registry } from "../../../functions/ports/registry.ts";
import { listen } from "../../../infra/local/listen.ts";

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: string;
}

export interface Scripted extends AsyncDisposable {
  readonly host: string;
  /** Oldest first. */
  readonly heard: readonly Heard[];
}

export type Script = (heard: Heard, response: ServerResponse, host: string) => void;

/** A server on a free loopback port that says whatever its script says. */
export async function scripted(script: Script): Promise<Scripted> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const { host, close } = await listen(server);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    const one: Heard = { method, path: url, authorization: headers.authorization ?? null, body };
    heard.push(one);
    script(one, response, host);
  }

  return { host, heard, [Symbol.asyncDispose]: close };
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

/** An adapter that trusts these hosts without TLS and waits for nobody. */
export function adapterFor(hosts: readonly string[], settings: Partial<RegistrySettings> = {}): Registry {
  return ociRegistry({
    credentials: async () => null,
    insecureHosts: hosts,
    now: () => noon,
    ...settings,
    limits: { requestSeconds: 0.25, ...settings.limits },
  });
}

export function imageOn(host: string, rest: Partial<ImageReference> = {}): ImageReference {
  return { registry: host, repository: "team/app", tag: null, digest: null, ...rest };
}

/** The error a promise ends in, with everything that a log would show of it. */
export async function failureOf(promise: Promise<unknown>): Promise<{ name: string; message: string; logged: string }> {
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
