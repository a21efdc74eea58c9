import type { SyncStep } from "../../domain/workload/git/decide-sync.ts";
import { Throttled } from "../../ports/errors.ts";

/** What follows for the own update. `commit` has its image, once one is known. */
export type Committed =
  | Exclude<SyncStep, { readonly kind: "write" | "wait" }>
  /** Its pull request is closed, and the update ends. */
  | { readonly kind: "superseded"; readonly reason: string }
  | {
      readonly kind: "wait";
      readonly reason: string;
      readonly commit?: string;
      readonly url?: string;
      /** The host must not be asked before. */
      readonly retryAfterSeconds?: number;
    };

export type Answer<T> =
  | { readonly kind: "answer"; readonly answer: T }
  | Extract<Committed, { readonly kind: "refused" | "wait" }>;

/** What GitHub asks for if it names no time. */
const rateLimitSeconds = 60;

/** Returns the answer of the host. What a person has to correct is refused; its rate limit is waited for, and so is an outage, which is none of the cluster. */
export async function ask<T>(call: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: "answer", answer: await call() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof Throttled)
      return { kind: "wait", reason: error.message, retryAfterSeconds: error.retryAfterSeconds ?? rateLimitSeconds };
    if (error.name === "Unreachable") return { kind: "wait", reason: error.message };
    if (error.name === "GitRefused" || error.name === "Forbidden") return { kind: "refused", reason: error.message };
    throw error;
  }
}
