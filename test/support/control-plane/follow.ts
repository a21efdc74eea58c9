import { setTimeout as pause } from "node:timers/promises";
import {
  makeInformer,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
} from "@kubernetes/client-node";

/**
 * Calls back with every object that there is and with every change of one, through lost connections, until stopped.
 * What comes of a list has `Date`s where what comes of a watch has strings.
 */
export async function follow<T extends KubernetesObject>(
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
