import { type PollEvent, type PollInput, pollInput, toPollInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler, type LambdaContext } from "../runtime/lambda.ts";
import { createNameFilter, createPushFilter } from "../workflows/poll/create-filters.ts";
import { pollCluster } from "../workflows/poll/poll-cluster.ts";
import type { PollReport } from "../workflows/poll/report.ts";

/**
 * Polls every workload or, after pushes, the workloads that track one of their repositories, or those that are named. A push does not override a workload's own
 * schedule: its owner chose that window, and the poll within it finds the tag.
 */
export async function poll(
  ports: Ports,
  { pushes, workloads }: PollInput,
  invocation: Partial<Invocation> = {},
): Promise<PollReport> {
  if (workloads) return pollCluster(ports, { ...invocation, isIncluded: createNameFilter(workloads) });
  return pollCluster(ports, pushes ? { ...invocation, isIncluded: createPushFilter(pushes) } : invocation);
}

const handle = createHandler(pollInput, { poll });

/** If it fails, Lambda delivers all messages of the batch again. */
export const handler = async (event: PollEvent, context?: LambdaContext) => handle(toPollInput(event), context);
