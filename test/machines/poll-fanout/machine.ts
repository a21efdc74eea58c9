import type { FanOutState } from "../../../functions/contract/poll-fanout.ts";
import type { FanOutTasks } from "../../../functions/workflows/poll/fan-out/run-in-process.ts";
import {
  createInterpreter,
  type Handlers,
  type Input,
  type LogLine,
} from "../../../infra/local/step-functions/interpreter.ts";
import type { Definition } from "../../../infra/local/step-functions/definition.ts";
import { invoke } from "../../../infra/local/step-functions/invoke.ts";
import { fanOutMachine, readMachine } from "../asl-files.ts";

/** What only AWS has, and does not change what a child does. */
const onlyOnAws = new Set(["Label", "ToleratedFailurePercentage", "ProcessorConfig"]);

/**
 * Runs the machine's file with its children in one process: the interpreter has Map states, but none that is distributed. Returns the
 * states of the parent and of its children, in the order of entry. With `mapError` the first map ends so, and not by its children.
 */
export async function runFanOut(
  state: FanOutState,
  tasks: FanOutTasks,
  mapError: string | null = null,
): Promise<readonly string[]> {
  const interpreter = createInterpreter(inline(readMachine(fanOutMachine), mapError));
  const context = { machine: fanOutMachine, execution: state.poll, executionArn: state.poll };
  const handlerOf = (name: string, task: (input: never) => Promise<unknown>) => (input: unknown) =>
    invoke((payload) => task(payload as never), input, { ...context, state: name });
  const taskResourceLocalHandlers = {
    Poll: handlerOf("Poll", ({ listing }: { listing: FanOutState }) => tasks.continueList(listing)),
    PollBatch: handlerOf("PollBatch", tasks.pollBatch),
    CollectBatches: handlerOf("CollectBatches", tasks.collectBatches),
  } as object as Handlers;
  const execution = interpreter.run(state as object as Input, { overrides: { taskResourceLocalHandlers } });
  // The last state shows if it failed.
  const [states] = await Promise.all([enteredStates(execution.eventLogs), execution.result.catch(() => undefined)]);
  return states;
}

/** Retries take no time. */
function inline(definition: object, mapError: string | null): Definition {
  return JSON.parse(
    JSON.stringify(definition, (key, value: unknown) => {
      if (key === "ItemProcessor" && mapError !== null)
        return { StartAt: "MapFails", States: { MapFails: { Type: "Fail", Error: mapError } } };
      if (onlyOnAws.has(key)) return undefined;
      return key === "IntervalSeconds" || key === "MaxDelaySeconds" ? 0 : value;
    }),
  ) as Definition;
}

async function enteredStates(logs: AsyncIterable<LogLine>): Promise<readonly string[]> {
  const states: string[] = [];
  for await (const line of logs) if (line.type === "StateEntered") states.push(line.state.name);
  return states;
}
