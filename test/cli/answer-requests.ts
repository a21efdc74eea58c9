import { setTimeout as sleepMs } from "node:timers/promises";
import { planCheckRecord } from "../../functions/domain/workload/record/record-check.ts";
import { decideRequest } from "../../functions/domain/workload/request/request.ts";
import type { Change } from "../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";

/** Returns what a poll writes for a request. */
function pollAnswer(workload: Workload): Change | null {
  const decision = decideRequest(workload);
  return decision === null ? null : planCheckRecord(workload, decision, new Date()).change;
}

/**
 * Runs a command and answers its requests, as polls and executions do. Requests that were there before stay. `answer` returns the
 * change; null if there is none.
 */
export async function answerRequests<Result>(
  cluster: Cluster,
  run: () => Promise<Result>,
  answer: (workload: Workload) => Change | null = pollAnswer,
): Promise<Result> {
  const seen = new Set<string>();
  for await (const { request } of cluster.list()) if (request !== null) seen.add(request.token);
  const over = new AbortController();
  const command = run().finally(() => over.abort());
  while (!over.signal.aborted) {
    for await (const workload of cluster.list()) {
      const { request } = workload;
      if (request === null || seen.has(request.token)) continue;
      seen.add(request.token);
      const change = answer(workload);
      if (change !== null) await cluster.change(workload, change);
    }
    await sleepMs(50);
  }
  return command;
}
