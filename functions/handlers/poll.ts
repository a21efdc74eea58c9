import { type PollInput, pollInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler } from "../runtime/lambda.ts";
import { tracksRepository } from "../workflows/poll/ecr-push-filter.ts";
import { pollCluster } from "../workflows/poll/poll-cluster.ts";
import type { PollReport } from "../workflows/poll/report.ts";

/**
 * Polls every workload or, after a push, the workloads that track the repository. A push does not override a workload's own
 * schedule: its owner chose that window, and the poll within it finds the tag.
 */
export async function poll(ports: Ports, input: PollInput, invocation: Partial<Invocation> = {}): Promise<PollReport> {
  const { repository, ...push } = input;
  if (!repository) return pollCluster(ports, invocation);
  return pollCluster(ports, {
    ...invocation,
    isIncluded: (workload) => tracksRepository(workload, { ...push, repository }),
  });
}

export const handler = createHandler(pollInput, { poll });
