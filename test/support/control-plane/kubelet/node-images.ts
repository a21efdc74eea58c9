import type { V1Container, V1Pod } from "@kubernetes/client-node";
import type { Pulled } from "./pull.ts";

/** The pulled images of a pod's containers, by container name. */
export type PulledImages = ReadonlyMap<string, Pulled>;

/**
 * Creates the image caches of all nodes, by image name. A container uses the cached image unless its policy is Always, and
 * keeps running it until its image changes.
 */
export function createNodeImages(pull: (image: string) => Promise<Pulled>): (pod: V1Pod) => Promise<PulledImages> {
  const onNodes = new Map<string, Pulled>();
  const started = new Map<string, Pulled>();

  async function start(node: string, { image = "", imagePullPolicy }: V1Container): Promise<Pulled> {
    const key = `${node} ${image}`;
    const known = imagePullPolicy === "Always" ? undefined : onNodes.get(key);
    const pulled = known ?? (await pull(image));
    onNodes.set(key, pulled);
    return pulled;
  }

  return async ({ metadata, spec }) => {
    const images = new Map<string, Pulled>();
    for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
      const key = `${metadata?.uid} ${container.name} ${container.image}`;
      const pulled = started.get(key) ?? (await start(spec?.nodeName ?? "", container));
      started.set(key, pulled);
      images.set(container.name, pulled);
    }
    return images;
  };
}
