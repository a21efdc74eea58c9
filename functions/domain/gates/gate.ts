import type { ClosedGate } from "./closed-gate.ts";
import type { HoldReason } from "../workload/decision/decision.ts";
import type { Target } from "../workload/target/target.ts";
import type { Policy, Workload } from "../workload/workload.ts";
import type { Approval } from "./approval.ts";

/** What a gate needs that judges workloads and node pools. */
export interface GateSubject {
  readonly ref: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly policy: Pick<Policy, "minimumReleaseAgeSeconds" | "approval" | "enforcedApprovals">;
  readonly approvals?: readonly Approval[];
}

/** One thing that may stand between a version and its rollout. */
export interface Gate<Subject extends GateSubject = Workload> {
  readonly name: string;
  /** The reason of a hold by it. */
  readonly hold: HoldReason;
  /** Whether a step evaluates it again before it writes the image. Others close by the update itself, or only delay its start. */
  readonly isEvaluatedAgain: boolean;
  /** Whether it judges the digest of an image of this workload: then that is written beside the tag, so that what it judged is what runs. */
  readonly needsDigest?: (workload: Subject) => boolean;
  /** It depends on more than the workload: who has the facts adds it to the hold. */
  readonly hasFacts?: true;
  /** Returns why it is closed; null if it is open. `target` is null before anything newer is known. */
  readonly evaluate: (workload: Subject, target: Target | null, now: Date) => Omit<ClosedGate, "name"> | null;
}
