import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the registry fails: it resets connections, does not answer, or answers with an error. */
export const outageModes = ["reset", "hang", "503", "429"] as const;
export type OutageMode = (typeof outageModes)[number];

export interface RegistryProxy {
  /** `127.0.0.1:port`, for image names. */
  readonly host: string;
  /** Fails requests of Pawl until the mode is null. Nodes still pull: what a node cannot pull fails for a reason of its own. */
  fail(mode: OutageMode | null): void;
  close(): Promise<void>;
}

/** Starts a reverse proxy on loopback for a registry. */
export async function startRegistryProxy(url: string): Promise<RegistryProxy> {
  let failure: OutageMode | null = null;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = "GET", headers } = incoming;
    const target = new URL(incoming.url ?? "/", url);
    const forwarded = request(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  }

  const server = createServer((incoming, outgoing) => {
    if (failure === null || incoming.headers["user-agent"] !== "pawl") return pass(incoming, outgoing);
    if (failure === "reset") return void incoming.destroy();
    if (failure !== "hang") outgoing.writeHead(Number(failure)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(mode) {
      failure = mode;
      if (mode === null) server.closeAllConnections(); // those that hang
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
