import type { TaskName, TaskOutput } from "../../functions/contract.ts";

/** Each kind that each Task may answer with: the compiler holds this to the contract, no more and no less. */
const kinds = {
  ApplyUpdate: { applied: true, superseded: true },
  AdoptUpdate: { adopted: true, superseded: true },
  CheckReadiness: { ready: true, progressing: true, expired: true, handover: true, superseded: true },
  RecordSuccess: { recorded: true, superseded: true },
  RollBack: { "rolled-back": true, tripped: true, "not-applied": true, superseded: true },
  OpenCircuit: { opened: true },
  HandOver: { "handed-over": true },
} satisfies { readonly [Name in TaskName]: Readonly<Record<TaskOutput<Name>["kind"], true>> };

export const answerKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(kinds).map(([task, answers]) => [task, Object.keys(answers)]),
);
