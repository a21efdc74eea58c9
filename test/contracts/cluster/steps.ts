import { giveUp, recordReset, recordStart, recordSuccess } from "../../../functions/domain/bookkeeping.ts";
import type { Change, InFlight, Workload } from "../../../functions/domain/workload.ts";
import { before, target } from "../cluster-fixtures.ts";

export type Step = (workload: Workload) => Change;

const noon = new Date("2026-11-20T12:00:00Z");
export const later = new Date("2026-11-20T12:10:00Z");
export const next = "registry.invalid:5000/shop/app:1.2.0";

export const claim: Step = (workload) => recordStart(workload, { image: target }, "e-1", noon);
export const claimNext: Step = (workload) => recordStart(workload, { image: next }, "e-2", later);
export const succeed: Step = (workload) => recordSuccess(workload, marksOf(workload), later);
export const abandon: Step = (workload) => giveUp(workload, marksOf(workload), "not ready in 10m", later);
export const switchOff: Step = (workload) =>
  giveUp({ ...workload, policy: { ...workload.policy, enabled: false } }, marksOf(workload), "switched off", later);
/** The second half of a rollback: what the failed image left behind is cleared up, the marks go. */
export const rolledBack: Step = () => ({ inFlight: null });
export const pause: Step = () => ({ paused: true });
export const resume: Step = () => ({ paused: false });
export const reset: Step = () => recordReset(true);
export const hold: Step = () => ({ announced: { held: "1.2.0 is out of bounds", problem: "a typing error" } });
export const letGo: Step = () => ({ announced: { held: null, problem: null } });
export const check: Step = () => ({ bookkeeping: { lastCheck: later, availableVersion: "1.2.0" } });

/** Every step by its name, with the steps that lead to where it is taken. */
export const steps = {
  claim: { given: [], step: claim },
  "a success": { given: [claim], step: succeed },
  "giving up": { given: [claim], step: abandon },
  "a rollback": { given: [claim, abandon], step: rolledBack },
  "a second rollback": { given: [claim, abandon, rolledBack, claimNext, abandon], step: rolledBack },
  "a rollback to what Pawl set before": { given: [claim, succeed, claimNext, abandon], step: rolledBack },
  "a cancellation": { given: [claim, switchOff], step: rolledBack },
  "a reset": { given: [claim, abandon, rolledBack], step: reset },
  "an announcement that stands": { given: [], step: hold },
  "an announcement taken back": { given: [hold], step: letGo },
  "a pause": { given: [], step: pause },
  "the end of a pause": { given: [pause], step: resume },
  "a check": { given: [], step: check },
} as const satisfies Record<string, { readonly given: readonly Step[]; readonly step: Step }>;

export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as StepName[];

/** What the object is to say after a step, as kubectl shows it; `status` is a Claw's `.status.autoUpdate`. */
export interface Written {
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status?: object;
}

export const marks: InFlight = {
  targetImage: target,
  startedAt: noon,
  execution: "e-1",
  previousImage: before,
  digests: null,
  phase: "rollout",
};

function marksOf({ inFlight }: Workload): InFlight {
  if (inFlight === null) throw new Error("no update is in flight");
  return inFlight;
}
