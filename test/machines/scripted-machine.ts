import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import type { StateChange } from "../../infra/local/step-functions/execution.ts";
import type { TaskFunction } from "../../infra/local/step-functions/invoke.ts";
import { startAwsEndpoint } from "../../infra/local/runtime/aws-endpoint.ts";
import { noon } from "../support/workloads.ts";
import { readMachine } from "./asl-files.ts";
import type { LintedMachine } from "./lint/definition.ts";
import { statesOf } from "./lint/definition.ts";
import {
  type AnyScript,
  createScriptRecorder,
  type Payloads,
  type Script,
  type ScriptRecorder,
  type TasksOf,
} from "./script.ts";
import { pathOf, type Path } from "./transitions.ts";

export interface Run<Tasks extends TasksOf<Tasks>> extends Path {
  /** The inputs of each Task, one per call. */
  readonly payloads: Payloads<Tasks>;
  readonly ending: StateChange;
  /** The number of events in its history. */
  readonly events: number;
}

export interface ScriptedMachine<Tasks extends TasksOf<Tasks>, Input> {
  /** Runs an execution of this name to its end. */
  run(name: string, script: Script<Tasks>, input?: Partial<Input>): Promise<Run<Tasks>>;
  /** Starts an execution; idempotent while it runs. Throws ExecutionAlreadyExists if the input differs. */
  start(name: string, input?: Partial<Input>): Promise<void>;
  close(): Promise<void>;
}

/** Serves the ASL file through the AWS API of the interpreter. Waits take no time; results of Tasks come from scripts. */
export async function startScriptedMachine<Tasks extends TasksOf<Tasks>, Input extends object>(
  machine: string,
  input: Input,
): Promise<ScriptedMachine<Tasks, Input>> {
  const definition = readMachine(machine);
  const scripts = new Map<string, ScriptRecorder>();
  const endpoint = await startAwsEndpoint({
    machines: { [machine]: { definition, tasks: tasksOf(definition, scripts) } },
    now: () => noon,
    waitScale: 0,
    onStateChange: (change) => scripts.get(change.execution)?.onStateChange(change),
  });
  const { credentials } = endpoint;
  const sfn = new SFNClient({ endpoint: endpoint.url, region: "us-east-1", credentials, maxAttempts: 1 });
  const stateMachineArn = endpoint.stateMachineArn(machine);
  async function start(name: string, own: Partial<Input> = {}): Promise<void> {
    await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify({ ...input, ...own }) }));
  }
  return {
    start,
    async run(name, script, own) {
      const recorder = createScriptRecorder(script as AnyScript);
      scripts.set(name, recorder);
      await start(name, own);
      const ending = await recorder.ended;
      const { changes, payloads } = recorder;
      return { ...pathOf(changes), payloads: payloads as Payloads<Tasks>, ending, events: changes.length };
    },
    async close() {
      sfn.destroy();
      await endpoint.close();
    },
  };
}

function tasksOf(
  definition: LintedMachine,
  scripts: ReadonlyMap<string, ScriptRecorder>,
): Record<string, TaskFunction> {
  const task: TaskFunction = async (payload, { state, execution }) => scripts.get(execution)?.invoke(state, payload);
  return Object.fromEntries(statesOf(definition, "Task").map(([name]) => [name, task]));
}
