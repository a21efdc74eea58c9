import type { ClosedGate } from "./closed-gate.ts";
import type { HoldReason } from "../workload/decision/decision.ts";
import type { Target } from "../workload/target/target.ts";
import type { Workload } from "../workload/workload.ts";

/** One thing that may stand between a version and its rollout. */
export interface Gate {
  readonly name: string;
  /** The reason of a hold by it. */
  readonly hold: HoldReason;
  /** Whether a step evaluates it again before it writes the image. Others close by the update itself, or only delay its start. */
  readonly isEvaluatedAgain: boolean;
  /** Whether it judges the digest of an image of this workload: then that is written beside the tag, so that what it judged is what runs. */
  readonly needsDigest?: (workload: Workload) => boolean;
  /** It depends on more than the workload: who has the facts adds it to the hold. */
  readonly hasFacts?: true;
  /** Returns why it is closed; null if it is open. `target` is null before anything newer is known. */
  readonly evaluate: (workload: Workload, target: Target | null, now: Date) => Omit<ClosedGate, "name"> | null;
}
