import { setTimeout as pause } from "node:timers/promises";
import { type KubeConfig, type KubernetesObject, Watch } from "@kubernetes/client-node";

export interface Change<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

type Told = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/**
 * Calls back with every object that there is and then with every change, none left out, through lost connections until
 * stopped. An object that is told again is told as it was.
 */
export function watchKind<T extends KubernetesObject>(
  kubeConfig: KubeConfig,
  path: string,
  query: Readonly<Record<string, string>>,
  onChange: (change: Change<T>) => void,
): { stop(): void } {
  const watch = new Watch(kubeConfig);
  let last = 0;
  let open: AbortController | undefined;
  let isStopped = false;

  function told(type: Told, object: T): void {
    // Revisions too old to go on from: everything that is there is told anew.
    if (type === "ERROR") last = 0;
    if (type === "ERROR" || type === "BOOKMARK") return;
    last = Math.max(last, Number(object.metadata?.resourceVersion));
    onChange({ type, object });
  }

  async function goOn(): Promise<void> {
    if (isStopped) return;
    // The client gives up a watch after 30 s in which nothing is told.
    const params = { ...query, timeoutSeconds: 25, ...(last === 0 ? {} : { resourceVersion: `${last}` }) };
    open = await watch.watch(path, params, told as (type: string, object: T) => void, () => void again());
    if (isStopped) open.abort();
  }

  async function again(): Promise<void> {
    await pause(20);
    await goOn();
  }

  void goOn();
  return {
    stop() {
      isStopped = true;
      open?.abort();
    },
  };
}
