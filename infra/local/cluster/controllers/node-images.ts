import { createHash } from "node:crypto";

/** What a node looks at of a container. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
}

export interface NodeImages {
  /** The digest (`sha256:…`) that the container runs, pulled where its policy asks for that or the node has nothing under the name. */
  start(node: string, container: ContainerSpec): string;
}

/** What nodes have pulled, by the names they pulled it under. `behind` says what stands behind a name now, null where that is not known. */
export function nodeImages(behind: (image: string) => string | null): NodeImages {
  const pulled = new Map<string, string>();
  return {
    start(node, { image, imagePullPolicy }) {
      const key = `${node} ${image}`;
      const known = imagePullPolicy === "Always" ? undefined : pulled.get(key);
      const digest = known ?? pinOf(image) ?? behind(image) ?? digestOfName(image);
      pulled.set(key, digest);
      return digest;
    },
  };
}

/** As the Docker runtime spells it. */
export function imageIdOf(image: string, digest: string): string {
  return `docker-pullable://${image.replace(/@.*$/, "").replace(/:[^/]*$/, "")}@${digest}`;
}

export function digestIn(imageId: string): string {
  return imageId.slice(imageId.lastIndexOf("@") + 1);
}

function pinOf(image: string): string | null {
  return image.includes("@") ? digestIn(image) : null;
}

function digestOfName(image: string): string {
  return `sha256:${createHash("sha256").update(image).digest("hex")}`;
}
