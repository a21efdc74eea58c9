import type { TaskName, TaskOutput, UpdateInput } from "../../functions/contract.ts";

/** Each kind that each Task may answer with: the compiler holds this to the contract, no more and no less. */
const kinds = {
  ApplyUpdate: { applied: true, superseded: true },
  AdoptUpdate: { adopted: true, canary: true, abort: true, superseded: true },
  StartCanary: { started: true, superseded: true },
  CheckCanary: { ready: true, promoted: true, progressing: true, expired: true, handover: true, superseded: true },
  AnalyzeCanary: { running: true, pass: true, fail: true, handover: true, superseded: true },
  CheckReadiness: { ready: true, progressing: true, expired: true, handover: true, superseded: true },
  RecordSuccess: { recorded: true, superseded: true },
  RollBack: { "rolled-back": true, tripped: true, "not-applied": true, superseded: true },
  OpenCircuit: { opened: true },
  HandOver: { "handed-over": true },
} satisfies { readonly [Name in TaskName]: Readonly<Record<TaskOutput<Name>["kind"], true>> };

/** What the input of an execution says in a word. */
const strategies = { rolling: true, restart: true, canary: true, abort: true } satisfies Readonly<
  Record<UpdateInput["strategy"], true>
>;

/** By the variable that the machine finds it in. */
export const inputKinds: Readonly<Record<string, readonly string[]>> = { "$.strategy": Object.keys(strategies) };

export const answerKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(kinds).map(([task, answers]) => [task, Object.keys(answers)]),
);
