import { Forbidden } from "../../../ports/errors.ts";
import type { ExpiringCache } from "../../expiring-cache.ts";

/** The source of connections to a cluster. */
export interface ConnectionSource<Port> {
  /** The text of a kubeconfig. */
  readonly secret: ExpiringCache<string>;
  readonly open: (kubeconfig: string) => Port;
}

export interface Connection<Port> {
  readonly kubeconfig: string;
  readonly port: Port;
}

export interface Reconnecting<Port> {
  /** Returns the connection, reopened if the kubeconfig has changed. */
  current(): Promise<Connection<Port>>;
  /** Returns a port with a newer kubeconfig after `error`; throws `error` if it is no 401, or there is no newer one. */
  reconnect(rejected: Connection<Port>, error: unknown): Promise<Port>;
  /** Calls a method, and repeats it once if the cluster rejected the kubeconfig and there is a newer one. */
  call<T>(method: (port: Port) => Promise<T>): Promise<T>;
}

/**
 * Wraps a connection whose kubeconfig is rotated. It is reopened if its kubeconfig has changed; after a 401 the kubeconfig
 * is read again immediately.
 */
export function withReconnect<Port>({ secret, open }: ConnectionSource<Port>): Reconnecting<Port> {
  let connection: Connection<Port> | null = null;

  async function current(): Promise<Connection<Port>> {
    const kubeconfig = await secret.get();
    if (connection?.kubeconfig !== kubeconfig) connection = { kubeconfig, port: open(kubeconfig) };
    return connection;
  }

  async function reconnect(rejected: Connection<Port>, error: unknown): Promise<Port> {
    if (!isUnauthorized(error)) throw error;
    secret.forget(rejected.kubeconfig);
    const next = await current();
    if (next.kubeconfig === rejected.kubeconfig) throw error;
    return next.port;
  }

  return {
    current,
    reconnect,
    async call(method) {
      const first = await current();
      try {
        return await method(first.port);
      } catch (error) {
        return method(await reconnect(first, error));
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
