import { truncate } from "../../../domain/text/summarize-list.ts";
import type { Ports } from "../../../contract/ports.ts";
import { assertCheck } from "../../../contract/poll-input.ts";
import { Unreachable } from "../../../ports/errors.ts";
import { type Check, type CheckOutput, recordOutput } from "../../../ports/check-recorder.ts";
import { createPacedQueue } from "./pace-writes.ts";
import { recordDecision } from "./record-check.ts";

type RecordPorts = Pick<Ports, "cluster" | "events" | "now">;

/** Of one invocation; a poll has four at a time. */
const maxConcurrentChecks = 8;

const maxMessageLength = 1000;

/**
 * Records the checks of one batch, and returns one result for each, in their order. A failed one affects no other. Checks that were
 * not started when `signal` is aborted fail as `Unreachable`: the next poll decides again.
 */
export async function recordChecks(
  ports: RecordPorts,
  checks: readonly Check[],
  signal: AbortSignal,
): Promise<readonly CheckOutput[]> {
  const paced = createPacedQueue(maxConcurrentChecks);

  async function record(check: Check): Promise<CheckOutput> {
    try {
      assertCheck(check);
      return await paced(() => recordOne(ports, check, signal));
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      return { kind: "failed", error: name, message: truncate(message, maxMessageLength) };
    }
  }

  return Promise.all(checks.map(record));
}

async function recordOne(
  ports: RecordPorts,
  { workload: ref, resourceVersion, recordVersion, decision }: Check,
  signal: AbortSignal,
): Promise<CheckOutput> {
  const subject = `${ref.kind} ${ref.namespace}/${ref.name}`;
  if (signal.aborted) throw new Unreachable(`${subject}: the function ran out of time before it recorded this`);
  const workload = await ports.cluster.read(ref);
  const isAsEvaluated = workload?.resourceVersion === resourceVersion;
  if (workload === null || !isAsEvaluated || workload.record.resourceVersion !== recordVersion) {
    return { kind: "changed", reason: `${subject} was changed or deleted since it was evaluated` };
  }
  return recordOutput(await recordDecision(ports, workload, decision), subject);
}
