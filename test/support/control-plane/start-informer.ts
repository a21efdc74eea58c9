import { setTimeout as pause } from "node:timers/promises";
import {
  makeInformer,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
} from "@kubernetes/client-node";

/**
 * Calls `onObject` with every existing object and after every change, and reconnects until stopped. Objects from a list
 * contain `Date`s, objects from a watch contain strings.
 */
export async function startInformer<T extends KubernetesObject>(
  kubeConfig: KubeConfig,
  path: string,
  list: () => Promise<KubernetesListObject<T>>,
  onObject: (object: T) => void,
): Promise<{ stop(): Promise<void> }> {
  const informer = makeInformer(kubeConfig, path, list);
  let stopped = false;
  const resume = async () => {
    await pause(200);
    if (!stopped) await informer.start();
  };
  informer.on("add", onObject);
  informer.on("update", onObject);
  informer.on("error", () => void resume());
  await informer.start();
  return {
    stop: async () => {
      stopped = true;
      await informer.stop();
    },
  };
}
