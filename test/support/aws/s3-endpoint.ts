import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../../../infra/local/listen.ts";

export interface S3Endpoint {
  readonly url: string;
  /** By `/BUCKET/KEY`. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** `METHOD /BUCKET/KEY`, oldest first. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Serves PutObject, GetObject and DeleteObjects of S3 on a free loopback port. */
export async function startS3Endpoint(): Promise<S3Endpoint> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];

  async function answer(request: IncomingMessage): Promise<{ status: number; body: Buffer | string }> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    requests.push(`${request.method} ${pathname}`);
    const body = await buffer(request);
    if (request.method === "PUT") {
      objects.set(pathname, body);
      return { status: 200, body: "" };
    }
    if (request.method === "POST" && searchParams.has("delete")) {
      for (const [, key] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
        objects.delete(`${pathname.replace(/\/$/, "")}/${key}`);
      return { status: 200, body: "<DeleteResult></DeleteResult>" };
    }
    const found = objects.get(pathname);
    return found === undefined
      ? { status: 404, body: "<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>" }
      : { status: 200, body: found };
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => response.writeHead(status).end(body));
  });
  const { host, close } = await listen(server);
  return { url: `http://${host}`, objects, requests, close };
}
