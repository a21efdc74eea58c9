import { Forbidden } from "../../../ports/errors.ts";
import type { ExpiringCache } from "../../expiring-cache.ts";

/** The source of connections to a cluster. */
export interface ConnectionSource<Port> {
  /** The text of a kubeconfig. */
  readonly secret: ExpiringCache<string>;
  readonly open: (kubeconfig: string) => Port;
}

interface Connection<Port> {
  readonly kubeconfig: string;
  readonly port: Port;
}

/**
 * Opens a port whose kubeconfig is rotated. It is reopened if its kubeconfig has changed; a call that gets a 401 is repeated with the next
 * kubeconfig. The methods in `streams` return an async iterable, the others a promise. Throws what reading the secret throws.
 */
export async function openReconnecting<Port extends object>(
  source: ConnectionSource<Port>,
  streams: readonly (keyof Port)[] = [],
): Promise<Port> {
  const connection = createConnection(source);
  const { port } = await connection.current();
  const entries = Object.entries(port).map(([name, value]) => {
    if (typeof value !== "function") return [name, value];
    const method = (on: Port, args: readonly unknown[]) => (Reflect.get(on, name) as Method)(...args);
    const verb = streams.includes(name as keyof Port) ? "stream" : "call";
    return [name, (...args: readonly unknown[]) => connection[verb]((on) => method(on, args))];
  });
  return Object.fromEntries(entries) as Port;
}

// What a method returns is known to its caller only.
type Method = (...args: readonly unknown[]) => never;

function createConnection<Port>({ secret, open }: ConnectionSource<Port>) {
  let connection: Connection<Port> | null = null;

  async function current(): Promise<Connection<Port>> {
    const kubeconfig = await secret.get();
    if (connection?.kubeconfig !== kubeconfig) connection = { kubeconfig, port: open(kubeconfig) };
    return connection;
  }

  /** Returns a port with a newer kubeconfig after `error`; throws `error` if it is no 401, or there is no newer one. */
  async function reconnect(rejected: Connection<Port>, error: unknown): Promise<Port> {
    if (!isUnauthorized(error)) throw error;
    secret.forget(rejected.kubeconfig);
    const next = await current();
    if (next.kubeconfig === rejected.kubeconfig) throw error;
    return next.port;
  }

  return {
    current,
    async call(method: (port: Port) => Promise<unknown>) {
      const first = await current();
      try {
        return await method(first.port);
      } catch (error) {
        return method(await reconnect(first, error));
      }
    },
    /** Repeats only before the first item, so that none is returned twice. */
    async *stream(method: (port: Port) => AsyncIterable<unknown>) {
      const first = await current();
      let isEmpty = true;
      try {
        for await (const item of method(first.port)) {
          isEmpty = false;
          yield item;
        }
      } catch (error) {
        if (!isEmpty) throw error;
        yield* method(await reconnect(first, error));
      }
    },
  };
}

/** Reports whether the cluster rejected the credentials (401). A 403 means that it accepted them. */
function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof Forbidden)) return false;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === 401;
}
