import { replaceTag } from "../../../../../functions/domain/image/reference.ts";
import { createHash } from "node:crypto";

/** The fields of a container that a node needs to pull its image. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
}

interface NodeImages {
  /** Returns the digest (`sha256:…`) that the container runs. Pulls it if the policy is Always or the node has no such image. */
  pull(node: string, container: ContainerSpec): string;
}

/** Creates the image caches of all nodes, by image name. `resolveDigest` returns an image's current digest, or null. */
export function createNodeImages(resolveDigest: (image: string) => string | null): NodeImages {
  const pulled = new Map<string, string>();
  return {
    pull(node, { image, imagePullPolicy }) {
      const key = `${node} ${image}`;
      const known = imagePullPolicy === "Always" ? undefined : pulled.get(key);
      const digest = known ?? pinnedDigest(image) ?? resolveDigest(image) ?? syntheticDigest(image);
      pulled.set(key, digest);
      return digest;
    },
  };
}

/** Returns the image ID in the format of the Docker runtime. */
export function toImageId(image: string, digest: string): string {
  return `docker-pullable://${replaceTag(image, "").slice(0, -1)}@${digest}`;
}

export function digestOfImageId(imageId: string): string {
  return imageId.slice(imageId.lastIndexOf("@") + 1);
}

function pinnedDigest(image: string): string | null {
  return image.includes("@") ? digestOfImageId(image) : null;
}

function syntheticDigest(image: string): string {
  return `sha256:${createHash("sha256").update(image).digest("hex")}`;
}
