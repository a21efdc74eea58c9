import type { AnalysisState } from "./analysis/state.ts";
import type { Digests, DigestTracking } from "./tracking.ts";

/** Names one object of one cluster for good: a recreated object has another `uid`. */
export interface WorkloadRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What its owner asks for. The units of `spec.autoUpdate` and of the `pawl.dev/*` annotations, parsed. */
export interface Policy {
  readonly enabled: boolean;
  /** No new update starts; one in flight goes on to its end. */
  readonly paused: boolean;
  /** Masterminds/semver v3 grammar; null admits every release that is not a pre-release. */
  readonly versionConstraint: string | null;
  /** robfig/cron ParseStandard grammar; null is due at every poll. */
  readonly schedule: string | null;
  /** A regular expression that a tag has to match to be looked at; null looks at every tag. */
  readonly tagPattern: string | null;
  readonly healthTimeoutSeconds: number;
  readonly maxRollbacks: number;
  /** Whether a restart that fails is taken back by pinning the images to the digests before it. */
  readonly rollsBackDigests: boolean;
  /** null updates all replicas at once, as the kind's own controller rolls them. */
  readonly canary: CanarySize | null;
  /** The name of an analysis, or the analysis itself; null promotes a canary once it is ready. */
  readonly analysis: string | null;
}

/** How many replicas a canary has: so many, or so many in a hundred of the desired ones, rounded up. */
export interface CanarySize {
  readonly unit: "replicas" | "percent";
  readonly amount: number;
}

export type HistoryStatus = "Healthy" | "RolledBack";

export interface HistoryEntry {
  readonly version: string;
  /** When the update began: with `version` it tells one attempt from the next. */
  readonly appliedAt: Date;
  readonly status: HistoryStatus;
}

/** What outlives an update: the status of a Claw, annotations of a built-in kind. Versions are tags as the registry spells them. */
export interface Bookkeeping {
  readonly currentVersion: string | null;
  readonly availableVersion: string | null;
  readonly lastCheck: Date | null;
  readonly lastUpdate: Date | null;
  readonly rollbackCount: number;
  readonly failedVersions: readonly string[];
  readonly circuitOpen: boolean;
  /** Oldest first, at most 50. */
  readonly versionHistory: readonly HistoryEntry[];
}

/**
 * "canary": a few replicas run the target and are judged. "rollout": all of them are to run it. "restart": all of them are
 * made anew, of the same tag with another digest behind it. "rollback": it was given up and counted, and its image put
 * back; what is left is to clear up after it.
 */
export type Phase = "canary" | "rollout" | "restart" | "rollback";

/** The marks of an update that has been applied and not yet been judged. */
export interface InFlight {
  /** Of a restart: the image of the first container that changed, with the digest that is new. */
  readonly targetImage: string;
  /** "malformed" where the annotation cannot be read as RFC3339. */
  readonly startedAt: Date | "malformed";
  /** The execution that holds the claim; null where a person set the marks by hand. */
  readonly execution: string | null;
  /** What a rollback goes back to; null where nothing is known to have run before. */
  readonly previousImage: string | null;
  /** What was found behind the tags of the followed containers; null where none is followed by digest. */
  readonly digests: Digests | null;
  readonly phase: Phase;
}

/** What the cluster says of the pods, whatever kind stands behind them. */
export interface Rollout {
  readonly generation: number;
  readonly observedGeneration: number;
  /** The image of the pod template's container. */
  readonly image: string | null;
  readonly desiredReplicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  /** Pods of earlier templates that still stand where the kind reports them, otherwise 0. */
  readonly oldReplicas: number;
}

/** One workload as Pawl sees it, read at one `resourceVersion`. */
export interface Workload {
  readonly ref: WorkloadRef;
  readonly resourceVersion: string;
  readonly policy: Policy;
  /** What cannot be read or cannot work, each said so that its owner can mend it. No update starts while there is one. */
  readonly problems: readonly string[];
  /** The image whose repository is listed and whose spelling a new reference keeps; null for a Claw runtime without a published image. */
  readonly source: string | null;
  /** The image its owner or Pawl asked for last; null where nothing is set or it cannot be seen. */
  readonly image: string | null;
  /** An image that its owner asks for by its whole name, so that no registry is needed; null once it was tried. */
  readonly wanted: string | null;
  /** null where its owner does not ask for restarts when a digest changes. */
  readonly digests: DigestTracking | null;
  /** `kubectl.kubernetes.io/restartedAt` of its pod template; null where there is none that can be read. */
  readonly restartedAt: Date | null;
  /** Its image is pinned to a digest, and it was Pawl that did so. */
  readonly isPinned: boolean;
  readonly pull: PullSources;
  readonly inFlight: InFlight | null;
  readonly bookkeeping: Bookkeeping;
  /** null where the object that carries the pods does not exist. */
  readonly rollout: Rollout | null;
  /** The replicas that run the target ahead of the others; null where there are none. */
  readonly canary: Rollout | null;
  /** What the pods of both sides are called by, for queries: a revision of a StatefulSet, a name of a Deployment. */
  readonly canaryNames: { readonly stable: string; readonly canary: string };
  /** What the analysis of the canary has come to so far; null before its first measurement. */
  readonly analysis: AnalysisState | null;
  /** What a person has said about the canary in flight; null where nobody has. */
  readonly verdict: "promote" | "abort" | null;
  /** The standing announcements, as they were last written to the object. */
  readonly announced: Announced;
}

/** Where its pods find the logins that they pull images with, in its own namespace. */
export interface PullSources {
  readonly secrets: readonly string[];
  /** Its Secrets count where the pods name none. */
  readonly serviceAccount: string;
}

/** Written to the object so that it is said once and can be read with kubectl. */
export interface Announced {
  readonly held: string | null;
  readonly problem: string | null;
}

/** A condition of a status; "Valid" is a StatefulCanary's. Built-in kinds have none of Pawl's. */
export interface Condition {
  readonly type: "AutoUpdateAvailable" | "AutoUpdateInProgress" | "Valid";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/**
 * What one step wants to be true of a workload afterwards; what is left out stays as it is.
 * An adapter writes it in an order that is safe to be interrupted: a claim before its bookkeeping, and
 * bookkeeping before the marks of the update are taken away.
 */
export interface Change {
  /** The image to run from now on; null gives it back to whoever chose it before Pawl. */
  readonly image?: string | null;
  /** null takes the marks away. */
  readonly inFlight?: InFlight | null;
  readonly bookkeeping?: Partial<Bookkeeping>;
  readonly conditions?: readonly Condition[];
  readonly announced?: Partial<Announced>;
  /** Replicas that run `image` ahead of the others; null takes them away. */
  readonly canary?: { readonly image: string; readonly size: CanarySize } | null;
  readonly analysis?: AnalysisState | null;
  readonly verdict?: "promote" | "abort" | null;
  /** Whether new updates are held back: `Policy.paused`, set by a person. */
  readonly paused?: boolean;
  /** Makes all pods anew, of the images that their template names; pins of Pawl's are taken out of it. */
  readonly restart?: Date;
  /** What is known of digests; null forgets it. */
  readonly digests?: {
    readonly last?: Digests | null;
    readonly former?: readonly Digests[];
    readonly returning?: DigestTracking["returning"];
  };
  /** Followed containers to be held at these digests, whatever comes to stand behind their tags. */
  readonly pins?: Digests;
}
