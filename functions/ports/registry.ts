import type { ImageReference } from "../domain/image/reference.ts";
import type { ScanResult } from "../domain/gates/scan.ts";
import type { ResolvedImage } from "../domain/image/resolved-image.ts";

/**
 * Container registries.
 * Every method may throw `Throttled` (429, with the delay that the registry asks for), `Unreachable` (no answer in time, or a 5xx),
 * `RegistryUnauthorized` (401, 403), `RepositoryNotFound` (404), `NotAnImage` (only if it reads the manifest) or `RegistryAnswerInvalid` (wrong schema, too large, or a page missing);
 * `RegistryNotAllowed` if the deployment does not allow the repository, or its host has no public address;
 * `DockerConfigInvalid` if credentials are required and a docker config is invalid; `BudgetExceeded` if the payer used too much. After any
 * error, nothing may be decided. `payer` is the namespace that a request is for: where requests queue, namespaces take turns.
 */
export interface Registry {
  /** Returns all tags of the repository from all pages, in the registry's order; never a partial list. */
  listTags(image: ImageReference, logins?: PullLogins, payer?: string): Promise<readonly string[]>;

  /** Returns the digest (`sha256:…`) that the tag or digest of the reference resolves to; of the index if there is one. */
  digestOf(image: ImageReference, logins?: PullLogins, payer?: string): Promise<string>;

  /**
   * Returns that digest, hashed from the manifest or index, and what the index lists. Costs a GET, which counts against rate limits;
   * `digestOf` does not.
   */
  resolve(image: ImageReference, logins?: PullLogins, payer?: string): Promise<ResolvedImage>;

  /** Returns all digests of `resolve`, that of the index first: a pod may report any of them as running. */
  digestsOf(image: ImageReference, logins?: PullLogins, payer?: string): Promise<readonly string[]>;

  /**
   * Returns by tag when the registry received its digest; at most 100 tags are asked for. Tags are missing whose time the registry does not
   * say. Absent if no registry does.
   */
  pushTimes?(image: ImageReference, tags: readonly string[], payer?: string): Promise<PushTimes>;

  /**
   * Returns what a scan of the digest of the reference has found. What is no image of a registry with scans, or of one that does not say it, is
   * "unknown". Asked of the manifest of one image: an index has no scan. Absent if no registry has any.
   */
  scanOf?(image: ImageReference, logins?: PullLogins, payer?: string): Promise<ScanResult>;
}

/** By tag. `at` is RFC3339: never what the publisher of an image says. */
export type PushTimes = ReadonlyMap<string, { readonly digest: string; readonly at: string }>;

/**
 * The logins of one workload, in lookup order. They take precedence over the deployment's own credentials for all. Answers that were
 * fetched with them are never used for other workloads.
 */
export type PullLogins = readonly PullLogin[];

/** The docker config.json of a pull secret, or one of the deployment that is for some namespaces and repositories only. */
export type PullLogin =
  | string
  | {
      readonly config: string;
      /** Names it in messages. */
      readonly source: string;
      /** Patterns of the repositories that it is for; null is all. */
      readonly repositories: readonly string[] | null;
    };
