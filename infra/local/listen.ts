import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Listening {
  /** `address:port`. */
  readonly host: string;
  /** Stops listening and closes all open connections. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a server listen. If `port` is 0, a free port is used. Keeps a connection for `keepAliveMs` after its last request; 0 is
 * for ever. Throws if the port is in use.
 */
export async function listen(server: Server, port = 0, address = "127.0.0.1", keepAliveMs = 0): Promise<Listening> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, address, resolve);
  await listening;
  // After Node's default of 5 s, a server closes a connection on which a client may be sending its next request: ECONNRESET.
  server.keepAliveTimeout = keepAliveMs;
  return {
    host: `${address}:${(server.address() as AddressInfo).port}`,
    async close() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      server.closeAllConnections();
      await closed;
    },
  };
}
