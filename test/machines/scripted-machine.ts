import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import type { TaskInput, TaskName, TaskOutput, UpdateInput } from "../../functions/contract.ts";
import type { StateChange } from "../../infra/local/step-functions/execution.ts";
import type { TaskFunction } from "../../infra/local/step-functions/invoke.ts";
import { startAwsEndpoint } from "../../infra/local/wire/aws-endpoint.ts";
import { noon, target, workload } from "../support/workloads.ts";
import { readMachine } from "./asl-files.ts";
import type { LintedMachine } from "./lint/definition.ts";
import { statesOf } from "./lint/definition.ts";
import { pathOf, type Path } from "./transitions.ts";

/** What a Task answers, call by call; an Error is thrown, and the last answer stands for all that come later. */
export type Script = { readonly [Name in TaskName]?: readonly (TaskOutput<Name> | Error)[] };

type Payloads = { readonly [Name in TaskName]: readonly TaskInput<Name>[] };

export interface Run extends Path {
  /** What each Task was given, call by call. */
  readonly payloads: Payloads;
  readonly ending: StateChange;
}

export interface ScriptedMachine {
  /** Runs an execution of this name to its end. */
  run(name: string, script: Script, input?: Partial<UpdateInput>): Promise<Run>;
  close(): Promise<void>;
}

export const input: UpdateInput = {
  cluster: "production",
  workload: workload().ref,
  image: target,
  strategy: "rolling",
  digests: "",
  recovering: false,
};

const machine = "workload-update";

/** The ASL file in the interpreter behind the wire API, on a clock whose waits take no time; answers come from scripts. */
export async function startScriptedMachine(): Promise<ScriptedMachine> {
  const definition = readMachine(machine);
  const scripts = new Map<string, Scripted>();
  const endpoint = await startAwsEndpoint({
    machines: { [machine]: { definition, tasks: tasksOf(definition, scripts) } },
    now: () => noon,
    waitScale: 0,
    onStateChange: (change) => scripts.get(change.execution)?.hear(change),
  });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const sfn = new SFNClient({ endpoint: endpoint.url, region: "us-east-1", credentials, maxAttempts: 1 });
  const stateMachineArn = endpoint.stateMachineArn(machine);
  return {
    async run(name, script, own = {}) {
      const scripted = scriptOf(script);
      scripts.set(name, scripted);
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify({ ...input, ...own }) }));
      const ending = await scripted.ended;
      return { ...pathOf(scripted.changes), payloads: scripted.payloads as unknown as Payloads, ending };
    },
    async close() {
      sfn.destroy();
      await endpoint.close();
    },
  };
}

/** An error as Lambda tells the machine of it. */
export function named(name: string, message = `${name} happened`): Error {
  return Object.assign(new Error(message), { name });
}

interface Scripted {
  readonly changes: StateChange[];
  readonly payloads: Record<string, unknown[]>;
  readonly ended: Promise<StateChange>;
  hear(change: StateChange): void;
  answer(task: string, payload: unknown): unknown;
}

function scriptOf(script: Script): Scripted {
  const { promise: ended, resolve } = Promise.withResolvers<StateChange>();
  const changes: StateChange[] = [];
  const payloads: Record<string, unknown[]> = {};
  return {
    changes,
    payloads,
    ended,
    hear(change) {
      changes.push(change);
      if (/^Execution(?!Started)/.test(change.type)) resolve(change);
    },
    answer(task, payload) {
      const calls = (payloads[task] ??= []).push(payload);
      const answers = script[task as TaskName] ?? [named("Unscripted", `nobody wrote what ${task} answers`)];
      const answer = answers[Math.min(calls, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

function tasksOf(definition: LintedMachine, scripts: ReadonlyMap<string, Scripted>): Record<string, TaskFunction> {
  const task: TaskFunction = async (payload, { state, execution }) => scripts.get(execution)?.answer(state, payload);
  return Object.fromEntries(statesOf(definition, "Task").map(([name]) => [name, task]));
}
