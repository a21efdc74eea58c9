import type { Candidate } from "../../gates/candidate.ts";
import type { FoundGate } from "../../gates/closed-gate.ts";
import type { ConfigUpdate } from "../config/tracking.ts";
import type { Digests, Manifests } from "../digest/tracking.ts";
import type { PersonRequest } from "../request/person-request.ts";
import type { BackOffReason } from "../update/back-off-reason.ts";
import type { Target } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Problem } from "../policy/problem.ts";

export type HoldReason =
  | "disabled"
  | "paused"
  | "digest-pinned"
  | "no-published-image"
  | "not-due"
  | "outside-windows"
  | "frozen"
  | "halted"
  | "too-young"
  | "awaiting-approval"
  | "awaiting-soak"
  | "awaiting-scan"
  | "restart-delayed"
  | "limited"
  | "unverified"
  | "no-tags"
  | "no-newer-version"
  | "no-match"
  | "newer-failed"
  | "manifest-not-found"
  | "platform-not-published"
  | "cannot-pin"
  | "unknown-version"
  | "variant-not-published"
  | "major-only"
  | "manual-change"
  | "circuit-open"
  | "same-digest"
  | "reverted-digest"
  | "same-config"
  | "canary-left"
  | "back-off"
  | "being-deleted";

export interface Hold {
  readonly kind: "hold";
  readonly reason: HoldReason;
  /** A sentence for users. */
  readonly detail: string;
  /** What is available but not applied; null if nothing is. */
  readonly target: Target | null;
  /** The newest version that was found, also one that the policy does not allow; absent if no tags were listed. */
  readonly available?: string;
  /** The closed gates that depend on more than the workload. */
  readonly gates?: readonly FoundGate[];
  /** Each version that a gate of its own judged. All are recorded. */
  readonly candidates?: readonly Candidate[];
  /** What to record of the observed digests. */
  readonly digests?: DigestUpdate;
  /** What to record of the observed configuration. */
  readonly config?: ConfigUpdate;
  /** The execution of an attempt has ended: its back-off begins. */
  readonly ended?: EndedAttempt;
}

export interface EndedAttempt {
  readonly target: Target;
  readonly reason: BackOffReason;
  readonly message: string;
  /** The execution that holds the claim; null if there is none. */
  readonly execution: string | null;
}

export type Decision =
  | {
      readonly kind: "update";
      readonly target: Target;
      /** A person chose the version, also one that is older, has failed or is outside the constraint. */
      readonly isRequested?: true;
      /** As of a hold. */
      readonly available?: string;
      readonly candidates?: readonly Candidate[];
      /** The digests of the tracked containers' tags, and of the configuration; absent if none is tracked. */
      readonly digests?: Digests;
      /** Of the tracked containers whose digest is another one now. */
      readonly manifests?: Manifests;
      /** What to record of the configuration before the update: its baseline. */
      readonly config?: ConfigUpdate;
    }
  | Hold
  /**
   * An update is in flight: it continues, under a new execution if its own no longer exists, or if it sleeps until its image is verified, which it
   * `isVerified` now. A `newer` version ends it if its pull request is still open.
   */
  | { readonly kind: "adopt"; readonly inFlight: InFlight; readonly isVerified?: boolean; readonly newer?: string }
  /** `held` is what the workload would be held for without the problem. It is recorded too. */
  | { readonly kind: "problem"; readonly problems: readonly Problem[]; readonly held?: Hold }
  /** The request of a person is answered; then the workload is evaluated again. */
  | ({ readonly kind: "request" } & PersonRequest & {
        /** Why it is refused, if a registry says so. */
        readonly refusal?: string;
      });

/** What to record of the observed digests. */
export interface DigestUpdate {
  readonly deployed?: Digests;
  /** Previous digests that a tag resolves to again; null if none does any more. */
  readonly reverted?: Digests | null;
}

/** Creates a hold: nothing is applied, for this reason. */
export function hold(reason: HoldReason, detail: string): Hold {
  return { kind: "hold", reason, detail, target: null };
}

/** Hold reasons of a workload that runs what it should. */
const upToDate: ReadonlySet<HoldReason> = new Set(["no-newer-version", "same-digest", "same-config"]);

/** Reports whether a workload is not updated because it is up to date. */
export function isUpToDate({ reason }: Pick<Hold, "reason">): boolean {
  return upToDate.has(reason);
}
