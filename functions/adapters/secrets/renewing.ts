import { Forbidden } from "../errors.ts";
import type { Renewed } from "../renewed.ts";

/** Where a port into a cluster comes from. */
export interface Source<Port> {
  /** The text of a kubeconfig. */
  readonly secret: Renewed<string>;
  readonly open: (kubeconfig: string) => Port;
}

export interface Opened<Port> {
  readonly kubeconfig: string;
  readonly port: Port;
}

export interface Renewing<Port> {
  /** Opened anew where the kubeconfig has changed. */
  current(): Promise<Opened<Port>>;
  /** The port to go on with after `error`; throws it again where a newer kubeconfig does not help, or there is none. */
  afterRefusal(refused: Opened<Port>, error: unknown): Promise<Port>;
  /** Calls a method, and once more where the cluster no longer knew the kubeconfig and there is another by now. */
  call<T>(method: (port: Port) => Promise<T>): Promise<T>;
}

/**
 * A port into a cluster behind a kubeconfig that may be rotated. It is opened anew, connections and all, where its kubeconfig
 * has changed; one that the cluster no longer knows (401) is read again at once.
 */
export function renewing<Port>({ secret, open }: Source<Port>): Renewing<Port> {
  let opened: Opened<Port> | null = null;

  async function current(): Promise<Opened<Port>> {
    const kubeconfig = await secret.get();
    if (opened?.kubeconfig !== kubeconfig) opened = { kubeconfig, port: open(kubeconfig) };
    return opened;
  }

  async function afterRefusal(refused: Opened<Port>, error: unknown): Promise<Port> {
    if (!isUnauthorized(error)) throw error;
    secret.forget(refused.kubeconfig);
    const again = await current();
    if (again.kubeconfig === refused.kubeconfig) throw error;
    return again.port;
  }

  return {
    current,
    afterRefusal,
    async call(method) {
      const first = await current();
      try {
        return await method(first.port);
      } catch (error) {
        return method(await afterRefusal(first, error));
      }
    },
  };
}

/** The cluster does not know who asks. What it knows and does not allow (403), no other kubeconfig is fetched for. */
function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof Forbidden)) return false;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === 401;
}
