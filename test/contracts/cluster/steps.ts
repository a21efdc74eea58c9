import { recordReset, recordStart, recordSuccess } from "../../../functions/domain/workload/record/update-record.ts";
import { concludeControl } from "../../../functions/domain/workload/rollback/control.ts";
import { recordRollback, resumeRollback } from "../../../functions/domain/workload/rollback/rollback.ts";
import { supersedingChange } from "../../../functions/domain/workload/request/superseding-push.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { InFlight, RolloutUpdate } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { before, updateTarget } from "../cluster-fixtures.ts";
import { imageTarget } from "../../support/workloads.ts";

export type Step = (workload: Workload) => Change;

const noon = new Date("2026-11-20T12:00:00Z");
export const later = new Date("2026-11-20T12:10:00Z");
export const next = "registry.invalid:5000/shop/app:1.2.0";

export const claim: Step = (workload) => recordStart(workload, { target: updateTarget, digests: null }, "e-1", noon);
export const claimNext: Step = (workload) =>
  recordStart(workload, { target: imageTarget(next), digests: null }, "e-2", later);
export const succeed: Step = (workload) => recordSuccess(workload, requireInFlight(workload), later);
export const revert: Step = (workload) => rollBack(workload, "not ready in 10m");
export const revertDisabled: Step = (workload) =>
  rollBack({ ...workload, policy: { ...workload.policy, optIn: "no" } }, "disabled");

/** Records a rollback, or resumes it after a conflict: what was recorded before that is not recorded again. */
function rollBack(workload: Workload, reason: string): Change {
  const inFlight = requireInFlight(workload);
  if (inFlight.phase === "rollback") return resumeRollback(workload, inFlight, later);
  return recordRollback(workload, inFlight, reason, later);
}

/** The second half of a rollback: removes the claim and, if the version before it was the control, records what that showed. */
export const rolledBack: Step = (workload) => {
  const { inFlight } = workload;
  const suspect = inFlight?.suspect;
  if (inFlight === null || suspect === undefined) return { inFlight: null };
  return concludeControl(workload, inFlight, suspect, { kind: "blamed", reason: suspect.reason }, later);
};
/** The end of an update over which a person pushed another version. */
export const supersede: Step = (workload) => supersedingChange(workload, requireInFlight(workload));
export const pause: Step = () => ({ paused: true });
export const resume: Step = () => ({ paused: false });
export const reset: Step = () => recordReset(true);
export const hold: Step = () => ({ lastReported: { held: "1.2.0 is out of bounds", problem: "a typing error" } });
export const clearHold: Step = () => ({ lastReported: { held: null, problem: null } });
export const check: Step = () => ({ updateRecord: { lastCheck: later, candidateVersion: "1.2.0" } });

/** Every step by name, with the steps that precede it. */
export const steps = {
  claim: { given: [], step: claim },
  "a success": { given: [claim], step: succeed },
  "a revert": { given: [claim], step: revert },
  "a rollback": { given: [claim, revert], step: rolledBack },
  "a second rollback": { given: [claim, revert, rolledBack, claimNext, revert], step: rolledBack },
  "a rollback to what Pawl set before": { given: [claim, succeed, claimNext, revert], step: rolledBack },
  "a cancellation": { given: [claim, revertDisabled], step: rolledBack },
  "a reset": { given: [claim, revert, rolledBack], step: reset },
  "a reported hold": { given: [], step: hold },
  "a cleared hold": { given: [hold], step: clearHold },
  "a pause": { given: [], step: pause },
  "the end of a pause": { given: [pause], step: resume },
  "a check": { given: [], step: check },
} as const satisfies Record<string, { readonly given: readonly Step[]; readonly step: Step }>;

export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as StepName[];

/** The expected object after a step; `status` is that of its AutoUpdate, or the `.status.autoUpdate` of a Claw. */
export interface Written {
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status?: object;
}

export const inFlightClaim: RolloutUpdate = {
  target: updateTarget,
  startedAt: noon,
  execution: "e-1",
  previousImage: before,
  digests: null,
  phase: "rollout",
};

function requireInFlight({ inFlight }: Workload): InFlight {
  if (inFlight === null) throw new Error("no update is in flight");
  return inFlight;
}
