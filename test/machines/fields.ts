import type { StepInput, Tasks } from "../../functions/contract.ts";
import type { PoolStepInput, PoolTasks } from "../../functions/pool-contract.ts";
import type { Fields } from "./lint/fields.ts";

type AllTasks = Tasks & PoolTasks;

type NamesOf<Value> = { readonly [Field in keyof Value]-?: true };

const update = {
  cluster: true,
  workload: true,
  image: true,
  strategy: true,
  digests: true,
  recovering: true,
  execution: true,
} satisfies NamesOf<StepInput>;

const pool = {
  cluster: true,
  pool: true,
  after: true,
  recovering: true,
  execution: true,
} satisfies NamesOf<PoolStepInput>;

const said = { kind: true, reason: true } as const;
const timed = { ...said, waitSeconds: true } as const;
const tick = { ...timed, ticks: true, drains: true, commands: true } as const;
const look = { ...update, executionStartedAt: true } as const;

/** Each field that each Task is given and answers: the compiler holds this to the contracts, no more and no less. */
const fields = {
  ApplyUpdate: { takes: update, answers: timed },
  AdoptUpdate: { takes: update, answers: timed },
  StartCanary: { takes: update, answers: timed },
  CheckCanary: { takes: look, answers: timed },
  AnalyzeCanary: { takes: look, answers: timed },
  CheckReadiness: { takes: look, answers: timed },
  RecordSuccess: { takes: update, answers: said },
  RollBack: { takes: { ...update, verdict: true, reason: true }, answers: said },
  OpenCircuit: { takes: { ...update, reason: true }, answers: said },
  HandOver: { takes: update, answers: said },
  ClaimPool: { takes: pool, answers: tick },
  StepNodes: { takes: { ...pool, executionStartedAt: true, ticks: true }, answers: tick },
  RunCommands: { takes: pool, answers: said },
  DrainNodes: { takes: pool, answers: said },
  ReleasePool: { takes: { ...pool, verdict: true, reason: true }, answers: said },
  HandOverPool: { takes: pool, answers: said },
} satisfies {
  readonly [Name in keyof AllTasks]: {
    readonly takes: NamesOf<AllTasks[Name]["input"]>;
    readonly answers: NamesOf<AllTasks[Name]["output"]>;
  };
};

/** By the Task's name. */
export const taskFields: Readonly<Record<string, Fields>> = Object.fromEntries(
  Object.entries(fields).map(([task, { takes, answers }]) => [
    task,
    { takes: Object.keys(takes), answers: Object.keys(answers) },
  ]),
);
