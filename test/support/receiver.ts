import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** Oldest first. */
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Starts a receiver of notifications on 127.0.0.1 that keeps every request. */
export async function startReceiver(status: number | (() => number) = 200): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = request;
    received.push({ method, path, headers, body: await text(request) });
    response.writeHead(typeof status === "number" ? status : status(), { location: "/elsewhere" }).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => void server.close(resolve));
    },
  };
}
