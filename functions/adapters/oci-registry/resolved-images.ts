import { LRUCache } from "lru-cache";
import { type ImageReference, manifestKey } from "../../domain/image/reference.ts";
import type { ResolvedImage } from "../../domain/image/resolved-image.ts";

/** What references resolved to. A reference may resolve to another digest by now; what a digest has never changes. */
export interface ResolvedImages {
  find(image: ImageReference): ResolvedImage | undefined;
  store(image: ImageReference, resolved: ResolvedImage): void;
}

const maxBytes = 8 * 1024 * 1024;
const bytesPerDigest = 256;

/** Creates an LRU cache for the life of the process. It holds no secret: who asks has to show that it may read the reference. */
export function createResolvedImages(): ResolvedImages {
  const cache = new LRUCache<string, ResolvedImage>({
    maxSize: maxBytes,
    sizeCalculation: ({ manifests }, key) => key.length + bytesPerDigest * (1 + manifests.length),
  });
  return {
    find: (image) => cache.get(manifestKey(image)),
    store: (image, resolved) => void cache.set(manifestKey(image), resolved),
  };
}
