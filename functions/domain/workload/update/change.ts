import type { Health } from "../../health/health.ts";
import type { Candidate } from "../../gates/candidate.ts";
import type { ClosedGate } from "../../gates/closed-gate.ts";
import type { WorkloadState } from "../../state/state.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { AnalysisState } from "../../analysis/state.ts";
import type { Digests, DigestTracking, Manifests } from "../digest/tracking.ts";
import type { RequestAnswer } from "../request/person-request.ts";
import type { NewRelease, TemplateSnapshot } from "../release/release.ts";
import type { LastReported } from "../record/record-source.ts";
import type { CanaryProgress } from "../canary/canary-step.ts";
import type { CanarySize } from "../canary/canary-size.ts";
import type { ConfigUpdate } from "../config/tracking.ts";
import type { Observation } from "../policy/observation-kinds.ts";
import type { InFlight } from "./in-flight.ts";
import type { ParkedUpdate } from "./parked-update.ts";
import type { BackOff, UpdateRecord } from "../workload.ts";

/** A condition of a status; "AutoUpdateValid" is a Claw's, "Valid" a StatefulCanary's. An AutoUpdate has others. */
export interface Condition {
  readonly type:
    | "AutoUpdateAvailable"
    | "AutoUpdateInProgress"
    | "AutoUpdateHeld"
    | "AutoUpdateBackOff"
    | "AutoUpdateValid"
    | "Valid"
    | "RequestHandled";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/**
 * The state that one step writes to a workload; an absent field stays unchanged.
 * An adapter writes in an order that is safe to interrupt: the claim before the update record, and the update record
 * before the claim is released.
 */
export interface Change {
  /** The image to run; null restores the choice from before Pawl. */
  readonly image?: string | null;
  /** null releases the claim. */
  readonly inFlight?: InFlight | null;
  /** Noted of the update in flight, which stays as it is otherwise. */
  readonly observation?: Observation;
  /** What was seen of the pods of the update in flight. */
  readonly health?: Health;
  /** How pods of the update in flight fail already; null if none does any more. */
  readonly failing?: string | null;
  /** The update in flight is slow. */
  readonly slow?: true;
  /** The execution of the update in flight sleeps now; null if it does not any more. */
  readonly parked?: ParkedUpdate | null;
  readonly updateRecord?: Partial<UpdateRecord>;
  /** What ready pods run beside the tag. */
  readonly runningDigest?: string;
  /** null ends the back-off. */
  readonly backOff?: BackOff | null;
  readonly conditions?: readonly Condition[];
  readonly lastReported?: Partial<LastReported>;
  /** What an evaluation found. The state that is written follows from it and from the rest of the record. */
  readonly evaluated?: WorkloadState;
  /** The gates that are closed. */
  readonly gates?: readonly ClosedGate[];
  /** null if it waits for no place any more. */
  readonly queuedSince?: Date | null;
  /** All that are known; empty if none is. */
  readonly candidates?: readonly Candidate[];
  /** Replicas that run `image` ahead of the others; null deletes them. */
  readonly canary?: CanaryChange | null;
  readonly canaryProgress?: CanaryProgress | null;
  readonly analysis?: AnalysisState | null;
  /** Renews the claim, for at least this time: how long nothing may be written after this change. */
  readonly nextStepSeconds?: number;
  readonly verdict?: "promote" | "abort" | null;
  /** `Policy.paused`, set by a person. */
  readonly paused?: boolean;
  /** Recreates all pods from the images of their template, without Pawl's pins. */
  readonly restart?: Date;
  /** Known digests; null deletes them. */
  readonly digests?: {
    readonly deployed?: Digests | null;
    readonly previous?: readonly Digests[];
    readonly reverted?: DigestTracking["reverted"];
    /** With the digests of a success: what is deployed is written to the workload too, if a tag moved. */
    readonly ran?: Digests;
    readonly manifests?: Manifests;
  };
  /** Known configuration. */
  readonly config?: ConfigUpdate;
  /** The digests that containers run beside their tags; null removes that of a container. A rollback writes only what a reference had before. */
  readonly written?: Readonly<Record<string, string | null>>;
  /** The digests to pin tracked containers to, even if their tags move. */
  readonly pins?: Digests;
  /** The whole pod template to run. Only the group pawl:restorers may write it. */
  readonly template?: TemplateSnapshot;
  /** Recorded with the next number. */
  readonly release?: NewRelease;
  /** Ends the request of a person. */
  readonly answer?: RequestAnswer;
  /** What people did, added to what is recorded. */
  readonly audit?: readonly AuditEntry[];
  /** All that have an entry now. */
  readonly auditedApprovals?: readonly string[];
  /** Makes the workload the owner of its AutoUpdate again. */
  readonly ownsRecord?: true;
  /** Deletes the AutoUpdate that Pawl created: the workload has opted out. */
  readonly deleteRecord?: true;
  /** Removes the finalizer of kubernetes-image-updater, which blocks the deletion of the workload. */
  readonly removeFinalizer?: true;
}

interface CanaryChange {
  readonly image: string;
  readonly size: CanarySize;
  /** A canary that exists has another pod template than its owner now, and is created again. */
  readonly isRestart?: true;
}
