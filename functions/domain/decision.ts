import type { Digests } from "./tracking.ts";
import type { InFlight } from "./workload.ts";

export type HoldReason =
  | "disabled"
  | "paused"
  | "digest-pinned"
  | "no-published-image"
  | "not-due"
  | "no-tags"
  | "no-newer-version"
  | "unknown-version"
  | "changed-by-hand"
  | "circuit-open"
  | "same-digest"
  | "returning-digest"
  | "being-deleted";

export interface Hold {
  readonly kind: "hold";
  readonly reason: HoldReason;
  /** A sentence for people. */
  readonly detail: string;
  /** The version that is there and is not applied, where there is one, and its image. */
  readonly version: string | null;
  readonly image: string | null;
  /** What of the digests that were seen is to be remembered. */
  readonly digests?: DigestNote;
}

export type Decision =
  | {
      readonly kind: "update";
      /** A tag, or a tag and its digest (`prod@sha256:…`). */
      readonly version: string;
      readonly image: string;
      /** The tag stays, and what stands behind it has changed: all pods are to be made anew. */
      readonly restart?: true;
      /** What stands behind the tags of the followed containers; left out where none is followed by digest. */
      readonly digests?: Digests;
    }
  | Hold
  /** An update is in flight: it goes on, under a new execution where its own is gone. */
  | { readonly kind: "adopt"; readonly inFlight: InFlight }
  | { readonly kind: "problem"; readonly problems: readonly string[] };

/** What is to be written down of the digests that were seen. */
export interface DigestNote {
  readonly last?: Digests;
  /** Former digests that are seen again from now on; null where none is any more. */
  readonly returning?: Digests | null;
}

/** Nothing is to be done, for this reason. */
export function hold(reason: HoldReason, detail: string): Hold {
  return { kind: "hold", reason, detail, version: null, image: null };
}
