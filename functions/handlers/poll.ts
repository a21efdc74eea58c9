import { type PollEvent, type PollInput, pollInput, toPollInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler, type LambdaContext } from "../runtime/lambda.ts";
import { createPushFilter } from "../workflows/poll/ecr-push-filter.ts";
import { pollCluster } from "../workflows/poll/poll-cluster.ts";
import type { PollReport } from "../workflows/poll/report.ts";

/**
 * Polls every workload or, after pushes, the workloads that track one of their repositories. A push does not override a workload's own
 * schedule: its owner chose that window, and the poll within it finds the tag.
 */
export async function poll(
  ports: Ports,
  { pushes }: PollInput,
  invocation: Partial<Invocation> = {},
): Promise<PollReport> {
  return pollCluster(ports, pushes ? { ...invocation, isIncluded: createPushFilter(pushes) } : invocation);
}

const handle = createHandler(pollInput, { poll });

/** If it fails, Lambda delivers all messages of the batch again. */
export const handler = async (event: PollEvent, context?: LambdaContext) => handle(toPollInput(event), context);
