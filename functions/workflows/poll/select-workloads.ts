import { isQuarantined } from "../../domain/workload/update/quarantine.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { WorkListWriter } from "./fan-out/work-list-lines.ts";
import { type PlacedWorkload, placeWorkload } from "./place-workload.ts";

/** What a poll processes itself, or defers. */
export interface Selection {
  /** Empty if they are in the work list. The consumer removes them, so that each can be released once it was processed. */
  readonly workloads: PlacedWorkload[];
  /** The size of each bucket of the work list; null if there is none. */
  readonly lines: readonly number[] | null;
  /** How many are left out because they ended a function. */
  readonly quarantined: number;
}

interface SelectOptions {
  readonly poll: string;
  /** How many workloads are held. */
  readonly maxWorkloads: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Opens the work list, when there are more workloads than that. */
  readonly openWriter: () => WorkListWriter;
}

/** The list was not complete before the deadline. */
export class ListTooSlow extends Error {
  override readonly name = "ListTooSlow";
}

/**
 * Reads all workloads once. If there are more than are held, all of them go to the work list, those that were held too. Throws
 * `ListTooSlow`, and what listing and the work list throw.
 */
export async function selectWorkloads(listed: AsyncIterable<Workload>, options: SelectOptions): Promise<Selection> {
  const { poll, maxWorkloads, signal, now, openWriter } = options;
  const workloads: PlacedWorkload[] = [];
  let [writer, quarantined]: [WorkListWriter | null, number] = [null, 0];
  for await (const workload of listed) {
    if (signal.aborted)
      throw new ListTooSlow(
        "the workloads could not be listed before the deadline; nothing was done; raise poll.memory and poll.timeout",
      );
    if (isQuarantined(workload, now())) {
      quarantined += 1;
      continue;
    }
    workloads.push(placeWorkload(workload, poll));
    if (writer === null && workloads.length <= maxWorkloads) continue;
    writer ??= openWriter();
    await write(writer, workloads);
  }
  return { workloads, lines: (await writer?.finish()) ?? null, quarantined };
}

/** Moves workloads to the work list. */
async function write(writer: WorkListWriter, workloads: PlacedWorkload[]): Promise<void> {
  for (const { bucket, workload } of workloads.splice(0)) await writer.add(bucket, workload);
}
