import type { ImageReference } from "../../domain/image-reference.ts";
import type { Authority } from "./authority.ts";
import type { CredentialsFor } from "./credentials.ts";

export interface Limits {
  /** One request and the whole of its answer. */
  readonly requestSeconds: number;
  /** One listing or digest with all its pages: a registry that drips holds nobody up for longer. */
  readonly operationSeconds: number;
  readonly answerBytes: number;
  readonly listingBytes: number;
  readonly pages: number;
  readonly concurrentPerHost: number;
  /**
   * Tags a page, sent as `n`; null leaves it to the registry. Some refuse what others allow (Quay more than 100, ECR more
   * than 1000), and not all that cut a list at `n` say so with a Link.
   */
  readonly pageSize: number | null;
}

export interface RegistrySettings {
  readonly credentials: CredentialsFor;
  /** `host[:port]`, exactly as images name them: these alone are spoken to over plain HTTP, loopback not excepted. */
  readonly insecureHosts: readonly string[];
  readonly now: () => Date;
  readonly limits?: Partial<Limits>;
}

/** What one operation on one image needs to speak to registries. */
export interface Asking {
  readonly image: ImageReference;
  /** Begins every message: the registry, the repository and what of it is asked for. */
  readonly subject: string;
  readonly limits: Limits;
  readonly insecureHosts: ReadonlySet<string>;
  readonly authority: Authority;
  readonly now: () => Date;
  /** On the clock of `performance.now()`, in milliseconds. */
  readonly deadline: number;
}

const MiB = 1024 * 1024;

export const defaultLimits = {
  requestSeconds: 30,
  operationSeconds: 120,
  answerBytes: 10 * MiB,
  listingBytes: 64 * MiB,
  pages: 1000,
  concurrentPerHost: 8,
  pageSize: null,
} satisfies Limits;
