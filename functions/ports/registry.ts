import type { ImageReference } from "../domain/image-reference.ts";

/**
 * Container registries.
 * Every method may throw `Throttled` (429, with what the registry said about when to come back), `Unreachable`
 * (no answer in time, or a 5xx), `RegistryRefused` (401, 403), `RepositoryNotFound` (404) or `RegistryAnswerInvalid`
 * (an answer that is no answer: wrong shape, too large, a page missing); `DockerConfigInvalid` where a login is wanted
 * and a text that should have it cannot be read. Whatever it throws, nothing may be decided.
 */
export interface Registry {
  /** All tags of the repository, every page of them, in the registry's order. Never a part of them. */
  listTags(image: ImageReference, logins?: PullLogins): Promise<readonly string[]>;

  /** The digest (`sha256:…`) behind the tag or digest of the reference; of the index where there is one. */
  digestOf(image: ImageReference, logins?: PullLogins): Promise<string>;

  /**
   * That digest first, and after it the digest of every manifest that the index names: a pod may report any of them as
   * what it runs. Costs a GET, which registries count; `digestOf` does not.
   */
  digestsOf(image: ImageReference, logins?: PullLogins): Promise<readonly string[]>;
}

/**
 * Texts of a docker config.json, in the order in which they are looked into: the pull secrets of one workload. They go
 * before the deployment's own logins, and what is listed with them is shown to nobody else.
 */
export type PullLogins = readonly string[];
