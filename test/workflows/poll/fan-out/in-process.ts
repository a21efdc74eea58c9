import type { PollBatchInput } from "../../../../functions/contract/poll-fanout.ts";
import { pollBatchInput } from "../../../../functions/contract/poll-fanout.ts";
import { assertInput } from "../../../../functions/contract/validate.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { pollBatch } from "../../../../functions/handlers/poll-batch.ts";
import type { FanOutTasks } from "../../../../functions/workflows/poll/fan-out/run-in-process.ts";
import { readBatch } from "../../../../functions/workflows/poll/fan-out/work-list-lines.ts";
import type { MemoryWorkList } from "../../../support/fakes/memory-work-list.ts";
import type { ManyPorts } from "../many-workloads.ts";

export const hosts = ["a.example", "b.example", "c.example"];
export const small = { maxWorkloads: 10 };

/** A function that Lambda has ended. */
export class ExitError extends Error {
  override readonly name = "Runtime.ExitError";
}

/** Runs the batches of a poll like the machine. `before` is called before each batch, and may throw. */
export function inProcess(ports: ManyPorts, before: (input: PollBatchInput, workloads: readonly Workload[]) => void) {
  const batches: PollBatchInput[] = [];
  const runOne: FanOutTasks["pollBatch"] = async (input) => {
    assertInput(pollBatchInput, JSON.parse(JSON.stringify(input)));
    batches.push(input);
    const workloads: Workload[] = [];
    for await (const one of readBatch(ports.workList, input.poll, input.batch)) workloads.push(one);
    before(input, workloads);
    return pollBatch(ports, input);
  };
  return { batches, tasks: { pollBatch: runOne } };
}

export function chunks({ workList }: ManyPorts): readonly string[] {
  return (workList as MemoryWorkList).keys();
}
export function metric({ metrics }: ManyPorts, name: string) {
  return metrics.pending.filter((one) => one.name === name);
}
