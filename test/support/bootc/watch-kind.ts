import { setTimeout as pause } from "node:timers/promises";
import { type KubeConfig, type KubernetesObject, Watch } from "@kubernetes/client-node";

export interface Change<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/**
 * Calls `onChange` with every existing object and then with every change, without gaps, and reconnects until stopped. An
 * object version can be received twice.
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

  function onEvent(type: WatchEventType, object: T): void {
    // The resourceVersion is too old: restart with all existing objects.
    if (type === "ERROR") last = 0;
    if (type === "ERROR" || type === "BOOKMARK") return;
    last = Math.max(last, Number(object.metadata?.resourceVersion));
    onChange({ type, object });
  }

  async function openWatch(): Promise<void> {
    if (isStopped) return;
    // The client closes a watch after 30 s without an event.
    const params = { ...query, timeoutSeconds: 25, ...(last === 0 ? {} : { resourceVersion: `${last}` }) };
    open = await watch.watch(path, params, onEvent as (type: string, object: T) => void, () => void reopenWatch());
    if (isStopped) open.abort();
  }

  async function reopenWatch(): Promise<void> {
    await pause(20);
    await openWatch();
  }

  void openWatch();
  return {
    stop() {
      isStopped = true;
      open?.abort();
    },
  };
}
