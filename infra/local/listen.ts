import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Listening {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Breaks off what is under way. */
  readonly close: () => Promise<void>;
}

/** Has a server listen on 127.0.0.1. A `port` of 0 takes a free one. Throws where the port is taken. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, "127.0.0.1", resolve);
  await listening;
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      server.closeAllConnections();
      await closed;
    },
  };
}
