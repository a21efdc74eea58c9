import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import type { StateChange } from "../../infra/local/step-functions/execution.ts";
import type { TaskFunction } from "../../infra/local/step-functions/invoke.ts";
import { startAwsEndpoint } from "../../infra/local/runtime/aws-endpoint.ts";
import { noon } from "../support/workloads.ts";
import { readMachine } from "./asl-files.ts";
import type { LintedMachine } from "./lint/definition.ts";
import { statesOf } from "./lint/definition.ts";
import { type AnyScript, type Payloads, type Script, type Scripted, scriptOf, type TasksOf } from "./script.ts";
import { pathOf, type Path } from "./transitions.ts";

export interface Run<Tasks extends TasksOf<Tasks>> extends Path {
  /** What each Task was given, call by call. */
  readonly payloads: Payloads<Tasks>;
  readonly ending: StateChange;
  /** How many events its history has. */
  readonly events: number;
}

export interface ScriptedMachine<Tasks extends TasksOf<Tasks>, Input> {
  /** Runs an execution of this name to its end. */
  run(name: string, script: Script<Tasks>, input?: Partial<Input>): Promise<Run<Tasks>>;
  /** Starts an execution, or once more one that runs. Throws ExecutionAlreadyExists where its input is another. */
  start(name: string, input?: Partial<Input>): Promise<void>;
  close(): Promise<void>;
}

/** The ASL file in the interpreter behind the wire API, on a clock whose waits take no time; answers come from scripts. */
export async function startScriptedMachine<Tasks extends TasksOf<Tasks>, Input extends object>(
  machine: string,
  input: Input,
): Promise<ScriptedMachine<Tasks, Input>> {
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
  async function start(name: string, own: Partial<Input> = {}): Promise<void> {
    await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify({ ...input, ...own }) }));
  }
  return {
    start,
    async run(name, script, own) {
      const scripted = scriptOf(script as AnyScript);
      scripts.set(name, scripted);
      await start(name, own);
      const ending = await scripted.ended;
      const { changes, payloads } = scripted;
      return { ...pathOf(changes), payloads: payloads as Payloads<Tasks>, ending, events: changes.length };
    },
    async close() {
      sfn.destroy();
      await endpoint.close();
    },
  };
}

function tasksOf(definition: LintedMachine, scripts: ReadonlyMap<string, Scripted>): Record<string, TaskFunction> {
  const task: TaskFunction = async (payload, { state, execution }) => scripts.get(execution)?.answer(state, payload);
  return Object.fromEntries(statesOf(definition, "Task").map(([name]) => [name, task]));
}
