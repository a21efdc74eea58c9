import type { ImageReference } from "../domain/image-reference.ts";

/**
 * Container registries.
 * Every method may throw `Throttled` (429, with what the registry said about when to come back), `Unreachable`
 * (no answer in time, or a 5xx), `RegistryRefused` (401, 403), `RepositoryNotFound` (404) or `RegistryAnswerInvalid`
 * (an answer that is no answer: wrong shape, too large, a page missing). Whatever it throws, nothing may be decided.
 */
export interface Registry {
  /** All tags of the repository, every page of them, in the registry's order. Never a part of them. */
  listTags(image: ImageReference): Promise<readonly string[]>;

  /** The digest (`sha256:…`) behind the tag or digest of the reference; of the index where there is one. */
  digestOf(image: ImageReference): Promise<string>;
}
