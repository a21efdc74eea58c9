import type { Registry } from "../ports/registry.ts";
import { type ImageReference } from "../domain/image-reference.ts";

/** One listing per repository and poll, however many workloads use it; a failed one fails for each of them. */
export function tagsOnce(registry: Registry): (image: ImageReference) => Promise<readonly string[]> {
  const listings = new Map<string, Promise<readonly string[]>>();
  return (image) => {
    const repository = `${image.registry}/${image.repository}`;
    const listing = listings.get(repository) ?? registry.listTags(image);
    listings.set(repository, listing);
    return listing;
  };
}
