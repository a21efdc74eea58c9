import type { Authority } from "./authority.ts";
import type { CredentialsFor } from "./credentials.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { Pace } from "./pace.ts";
import type { Asker } from "./visitor.ts";

export interface Limits {
  /** One request and the whole of its answer. */
  readonly requestSeconds: number;
  /** One listing or digest with all its pages: a registry that drips holds nobody up for longer. */
  readonly operationSeconds: number;
  readonly answerBytes: number;
  readonly listingBytes: number;
  readonly pages: number;
  readonly concurrentPerHost: number;
  /** What a request waits for its turn at most where a registry's limit is nearly used up; else it is refused. */
  readonly paceSeconds: number;
  /** All answers together that are kept for conditional requests. */
  readonly keptBytes: number;
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
  /** From 0 to 1: the jitter of when a host that was left alone is asked again. */
  readonly random?: () => number;
  readonly limits?: Partial<Limits>;
}

/** What one operation on one image needs to speak to registries. */
export interface Asking extends Asker {
  /** Begins every message: the registry, the repository and what of it is asked for. */
  readonly subject: string;
  readonly limits: Limits;
  readonly insecureHosts: ReadonlySet<string>;
  readonly authority: Authority;
  readonly answers: KeptAnswers;
  readonly pace: Pace;
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
  paceSeconds: 3,
  keptBytes: 32 * MiB,
  pageSize: null,
} satisfies Limits;
