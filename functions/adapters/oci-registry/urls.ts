import type { ImageReference } from "../../domain/image/reference.ts";

/** Returns a repository's name for messages. */
export function repositoryName(image: ImageReference): string {
  return `${image.registry}/${image.repository}`;
}

export function isRegistryHost(url: URL, image: ImageReference): boolean {
  return url.host === new URL(`${url.protocol}//${image.registry}`).host;
}
