import pLimit from "p-limit";
import type { CollectBatchesInput, FanOutState, PollBatchInput } from "../../../contract/poll-fanout.ts";
import type { Invocation } from "../../../contract/task.ts";
import { type CollectPorts, collectRound } from "./collect-round.ts";
import { continueList } from "../poll-cluster.ts";
import type { ListPorts } from "../read-workloads.ts";
import { type BatchPorts, runBatch } from "./run-batch.ts";

/** How many batches of a process are in memory at a time. */
const maxConcurrentBatches = 2;

/** The functions of the machine. What one throws is the failure of its Task. */
export interface FanOutTasks {
  readonly pollBatch: (input: PollBatchInput) => Promise<unknown>;
  readonly continueList: (state: FanOutState) => Promise<FanOutState>;
  readonly collectBatches: (input: CollectBatchesInput) => Promise<FanOutState>;
}

export interface InProcessOptions extends Partial<Invocation> {
  /** Defaults to functions in this process. */
  readonly tasks?: Partial<FanOutTasks>;
  readonly concurrency?: number;
}

/** Runs the machine `poll-fanout` in this process: it has a state that only AWS can run. */
export async function runInProcess(
  ports: ListPorts & CollectPorts & BatchPorts,
  state: FanOutState,
  options: InProcessOptions = {},
): Promise<FanOutState> {
  const { concurrency = maxConcurrentBatches, tasks = {} } = options;
  const { pollBatch = (input) => runBatch(ports, input, options) } = tasks;
  const { collectBatches = (input) => collectRound(ports, input, options) } = tasks;
  const { continueList: list = (listed) => continueList(ports, listed, options) } = tasks;
  if (state.outcome === "list") return runInProcess(ports, await list(state), options);
  if (state.outcome !== "again") return state;
  const { cluster, poll, listedAt, isComplete, round, starts, batches } = state;
  const limit = pLimit(concurrency);
  const results = await Promise.all(
    batches.map((batch) =>
      limit(() => runTask(pollBatch, { cluster, poll, listedAt, isComplete, round, starts, batch })),
    ),
  );
  return runInProcess(ports, await collectBatches({ ...state, results }), options);
}

async function runTask(task: FanOutTasks["pollBatch"], input: PollBatchInput): Promise<unknown> {
  try {
    return await task(input);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { batch: input.batch, kind: "failed", error: { Error: name, Cause: message } };
  }
}
