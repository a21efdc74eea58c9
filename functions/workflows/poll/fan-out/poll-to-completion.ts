import type { FanOutState } from "../../../contract/poll-fanout.ts";
import { pollCluster, type PollOptions, type PollPorts } from "../poll-cluster.ts";
import { completedReport, type PollReport } from "../report.ts";
import { type InProcessOptions, runInProcess } from "./run-in-process.ts";

/** Runs a poll and all its batches in this process. Throws what `pollCluster` throws. */
export async function pollToCompletion(
  ports: Omit<PollPorts, "fanOutExecutions">,
  options: PollOptions & InProcessOptions = {},
): Promise<PollReport> {
  const started: FanOutState[] = [];
  const fanOutExecutions = {
    async start(_name: string, state: FanOutState) {
      started.push(state);
      return "started" as const;
    },
  };
  const first = await pollCluster({ ...ports, fanOutExecutions }, options);
  const [state] = started;
  return state === undefined ? first : completedReport(first, (await runInProcess(ports, state, options)).totals);
}
