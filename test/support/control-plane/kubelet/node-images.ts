import type { V1Container, V1Pod } from "@kubernetes/client-node";
import type { Pulled } from "./pull.ts";

/** What the containers of a pod run, by the names of the containers. */
export type Runs = ReadonlyMap<string, Pulled>;

/**
 * What nodes have pulled, by the names they pulled it under: a container starts with that unless its policy is Always. What it
 * was started with it runs until its image is another.
 */
export function nodeImages(pull: (image: string) => Promise<Pulled>): (pod: V1Pod) => Promise<Runs> {
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
    const runs = new Map<string, Pulled>();
    for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
      const key = `${metadata?.uid} ${container.name} ${container.image}`;
      const pulled = started.get(key) ?? (await start(spec?.nodeName ?? "", container));
      started.set(key, pulled);
      runs.set(container.name, pulled);
    }
    return runs;
  };
}
