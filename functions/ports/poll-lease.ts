import type { DailyDigest, DigestReport } from "../domain/notification/daily-digest.ts";
import type { SentNotes } from "../domain/execution/sent-notes.ts";

/** The name of the `Lease`, which is in `kube-system`, or in the first namespace if Pawl is restricted to some. */
export const pollLeaseName = "pawl-poll";

/** "absent": the cluster has no such Lease, so polls may run concurrently. */
export type LeaseState =
  | {
      readonly kind: "held";
      /** Who held it before and ended, or was killed, without releasing it; null if it was free, and at a renewal. */
      readonly takenOverFrom: string | null;
      /** The day of the last daily digest of each target; absent if none was sent. */
      readonly digests?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "absent" }
  | {
      readonly kind: "taken";
      /** Who holds it. */
      readonly by: string;
    };

/**
 * Lets one poll of a cluster run at a time. It saves work and requests, and protects nothing: a lease does not fence, so every write
 * of a poll is conditional.
 */
export interface PollLease {
  /** Takes the lease, or renews it. Throws what `Cluster` throws, and `Conflict` if others keep writing to it. */
  acquire(poll: string): Promise<LeaseState>;
  /** Does nothing if another poll holds it. Throws the same. */
  release(poll: string): Promise<void>;
}

/** The daily digests of the targets of notifications. */
export interface DigestSender {
  readonly targets: readonly DailyDigest[];
  /** Sends the digests of a poll: each once, whatever polls run. Throws what the lease throws, and `Events`. */
  send(digests: readonly DigestReport[]): Promise<void>;
}

/** The Lease, for the function that may write it. */
export interface PollLeaseObject extends Pick<PollLease, "acquire" | "release"> {
  /** Returns what polls have noted, with the version of the Lease; null if there is no Lease. */
  readNotes(): Promise<{ readonly notes: SentNotes; readonly version: string } | null>;
  /** Throws `Conflict` if the Lease has changed since. */
  writeNotes(notes: SentNotes, version: string): Promise<void>;
}

/** Input of the function `record-check` for the lease; plain JSON. */
export interface LeaseInput {
  readonly cluster: string;
  readonly lease:
    | { readonly verb: "acquire" | "release"; readonly poll: string }
    | { readonly verb: "send"; readonly digests: readonly DigestReport[] };
}

/** Output of the function `record-check` for the lease; plain JSON. */
export interface LeaseOutput {
  readonly lease: LeaseState | { readonly kind: "released" | "sent" };
}
