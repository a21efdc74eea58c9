import type { TaskEvent, Tasks } from "../../functions/contract/workload-update.ts";
import type { PoolStepInput, PoolTasks } from "../../functions/contract/node-pool-rollout.ts";
import type { Fields } from "./lint/fields.ts";

type AllTasks = Tasks & PoolTasks;

type NamesOf<Value> = { readonly [Field in keyof Value]-?: true };

const started = { input: true, execution: true } as const;
const update = { ...started, verification: true } satisfies NamesOf<TaskEvent<"AdoptUpdate">>;

const pool = {
  cluster: true,
  pool: true,
  previousExecution: true,
  adopting: true,
  execution: true,
} satisfies NamesOf<PoolStepInput>;

const result = { kind: true, reason: true } as const;
const timed = { ...result, waitSeconds: true } as const;
const canary = { ...timed, step: true } as const;
const round = { ...timed, rounds: true, drains: true, commands: true } as const;
const check = { ...update, executionStartedAt: true } as const;

/** Each field that each Task is given and output: the compiler holds this to the contracts, no more and no less. */
const fields = {
  VerifyImage: {
    input: { ...started, step: true } satisfies NamesOf<TaskEvent<"VerifyImage">>,
    output: { ...result, digest: true },
  },
  ApplyUpdate: { input: { ...update, step: true }, output: timed },
  AdoptUpdate: { input: update, output: timed },
  RestoreRelease: { input: update, output: timed },
  SyncUpdate: { input: check, output: timed },
  RunHook: { input: check, output: timed },
  CheckHook: { input: check, output: timed },
  StartCanary: { input: update, output: canary },
  CheckCanary: { input: check, output: canary },
  AnalyzeCanary: { input: check, output: canary },
  CheckReadiness: { input: check, output: timed },
  RollPod: { input: check, output: timed },
  AnalyzeRollout: { input: check, output: timed },
  RecordSuccess: { input: { ...update, verdict: true, reason: true }, output: result },
  RollBack: { input: { ...update, verdict: true, reason: true }, output: result },
  CheckRollback: { input: { ...check, reason: true }, output: timed },
  OpenCircuit: { input: { ...update, reason: true }, output: result },
  ContinueAsNew: { input: update, output: result },
  ClaimPool: { input: pool, output: round },
  ReconcileNodes: { input: { ...pool, executionStartedAt: true, rounds: true }, output: round },
  RunCommands: { input: pool, output: result },
  DrainNodes: { input: pool, output: result },
  ReleasePool: { input: { ...pool, verdict: true, reason: true }, output: result },
  ContinuePoolAsNew: { input: pool, output: result },
} satisfies {
  readonly [Name in keyof AllTasks]: {
    readonly input: NamesOf<Name extends keyof Tasks ? TaskEvent<Name> : AllTasks[Name]["input"]>;
    readonly output: NamesOf<AllTasks[Name]["output"]>;
  };
};

/** The fields by the name of the Task. */
export const taskFields: Readonly<Record<string, Fields>> = Object.fromEntries(
  Object.entries(fields).map(([task, { input, output }]) => [
    task,
    { input: Object.keys(input), output: Object.keys(output) },
  ]),
);
