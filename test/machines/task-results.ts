import type { Tasks, UpdateInput } from "../../functions/contract/workload-update.ts";
import type { PoolTasks } from "../../functions/contract/node-pool-rollout.ts";

/** Of all machines: no two have a Task of the same name, since each has a handler's file to itself. */
type AllTasks = Tasks & PoolTasks;

const hookKinds = {
  progressing: true,
  apply: true,
  canary: true,
  record: true,
  expired: true,
  abort: true,
  failed: true,
  tripped: true,
  restore: true,
  "no-result": true,
  continue: true,
  superseded: true,
} as const;

/** Each kind that each Task may answer with: the compiler holds this to the contracts, no more and no less. */
const kinds = {
  VerifyImage: { disabled: true, unmatched: true, verified: true, warned: true, unverified: true, unknown: true },
  ApplyUpdate: { applied: true, hook: true, sync: true, "not-ready": true, parked: true, superseded: true },
  AdoptUpdate: { adopted: true, canary: true, hook: true, sync: true, abort: true, superseded: true },
  RestoreRelease: { applied: true, hook: true, unrestorable: true, disabled: true, superseded: true },
  StartCanary: { started: true, hook: true, parked: true, superseded: true },
  SyncUpdate: {
    synced: true,
    restored: true,
    progressing: true,
    parked: true,
    held: true,
    refused: true,
    abort: true,
    continue: true,
    superseded: true,
  },
  RunHook: hookKinds,
  CheckHook: hookKinds,
  CheckCanary: {
    ready: true,
    roll: true,
    measure: true,
    promoted: true,
    progressing: true,
    parked: true,
    expired: true,
    fail: true,
    unproven: true,
    "not-started": true,
    withdraw: true,
    continue: true,
    superseded: true,
  },
  AnalyzeCanary: {
    running: true,
    progressing: true,
    roll: true,
    parked: true,
    next: true,
    pass: true,
    fail: true,
    unproven: true,
    withdraw: true,
    continue: true,
    superseded: true,
  },
  CheckReadiness: {
    ready: true,
    bake: true,
    "scale-down": true,
    roll: true,
    progressing: true,
    parked: true,
    expired: true,
    fail: true,
    unproven: true,
    "not-started": true,
    withdraw: true,
    continue: true,
    superseded: true,
  },
  RollPod: { rolled: true, canary: true, restored: true, superseded: true },
  AnalyzeRollout: { running: true, pass: true, unknown: true, fail: true, continue: true, superseded: true },
  RecordSuccess: { recorded: true, hook: true, superseded: true },
  RollBack: { reverting: true, restore: true, sync: true, refused: true, superseded: true },
  CheckRollback: {
    progressing: true,
    roll: true,
    "rolled-back": true,
    "circuit-tripped": true,
    withdrawn: true,
    continue: true,
    superseded: true,
  },
  OpenCircuit: { opened: true },
  ContinueAsNew: { continued: true },
  ClaimPool: { claimed: true, superseded: true },
  ReconcileNodes: {
    working: true,
    completed: true,
    emptied: true,
    held: true,
    halted: true,
    superseded: true,
    continue: true,
  },
  RunCommands: { sent: true, superseded: true },
  DrainNodes: { drained: true, superseded: true },
  ReleasePool: { completed: true, held: true, halted: true, superseded: true },
  ContinuePoolAsNew: { continued: true },
} satisfies { readonly [Name in keyof AllTasks]: Readonly<Record<AllTasks[Name]["output"]["kind"], true>> };

/** The values of `strategy` in the input of an execution. */
const strategies = { rolling: true, restart: true, release: true, canary: true, abort: true } satisfies Readonly<
  Record<UpdateInput["strategy"], true>
>;

/** By the variable that the machine reads. */
export const inputKinds: Readonly<Record<string, readonly string[]>> = {
  "$.strategy": Object.keys(strategies),
  // By a canary, before the image is verified again. `Begin` overwrites what an input may have there.
  ...Object.fromEntries(
    ["ChooseStrategy", "Unanswered?", "NotRun?", "NotVerified?"].map((choice) => [
      `${choice} $.rollout.kind`,
      ["pass", "promoted", "next"],
    ]),
  ),
};

export const resultKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(kinds).map(([task, answers]) => [task, Object.keys(answers)]),
);
