import type { FanOutState } from "../contract/poll-fanout.ts";
import { type PollEvent, type PollInput, pollInput, toPollInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler, type LambdaContext } from "../runtime/lambda.ts";
import { continueList, pollCluster } from "../workflows/poll/poll-cluster.ts";
import type { PollReport } from "../workflows/poll/report.ts";

/**
 * Polls every workload or, after pushes, the workloads that track one of their repositories, or those that are named. A push does not override a workload's own
 * schedule: its owner chose that window, and the poll within it finds the tag. Or continues the list of a poll, and returns the next state of its machine.
 */
export async function poll(
  ports: Ports,
  { pushes, workloads, listing }: PollInput,
  invocation: Partial<Invocation> = {},
): Promise<PollReport | FanOutState> {
  if (listing) return continueList(ports, listing, invocation);
  return pollCluster(ports, { ...invocation, selected: pushes || workloads ? { pushes, workloads } : null });
}

const handle = createHandler(pollInput, { poll });

/** If it fails, Lambda delivers all messages of the batch again. */
export const handler = async (event: PollEvent, context?: LambdaContext) => handle(toPollInput(event), context);
