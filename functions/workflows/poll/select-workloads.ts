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
  /** Whether the list has stopped. Then the last bucket has what its next process needs. */
  readonly isInterrupted: boolean;
}

interface SelectOptions {
  readonly poll: string;
  /** How many workloads are held. */
  readonly maxWorkloads: number;
  readonly now: () => Date;
  /** Whether the poll has a work list already. */
  readonly isContinued: boolean;
  /** Opens the work list, when there are more workloads than are held. */
  readonly openWriter: () => Promise<WorkListWriter>;
  /** Returns what the next process needs, in lines, if the list has stopped; null if it is complete. */
  readonly interrupted: () => Iterable<string> | null;
}

/**
 * Reads the workloads. If there are more than are held, or their list has stopped, all of them go to the work list, those that were
 * held too. Throws what listing and the work list throw.
 */
export async function selectWorkloads(listed: AsyncIterable<Workload>, options: SelectOptions): Promise<Selection> {
  const { poll, maxWorkloads, now, isContinued, openWriter, interrupted } = options;
  const workloads: PlacedWorkload[] = [];
  let writer = isContinued ? await openWriter() : null;
  let quarantined = 0;
  for await (const workload of listed) {
    if (isQuarantined(workload, now())) {
      quarantined += 1;
      continue;
    }
    workloads.push(placeWorkload(workload, poll));
    if (writer === null && workloads.length <= maxWorkloads) continue;
    writer ??= await openWriter();
    await write(writer, workloads);
  }
  const rest = interrupted();
  if (rest !== null) {
    writer ??= await openWriter();
    await write(writer, workloads);
    await writer.addBucket(rest);
  }
  return { workloads, lines: (await writer?.finish()) ?? null, quarantined, isInterrupted: rest !== null };
}

/** Moves workloads to the work list. */
async function write(writer: WorkListWriter, workloads: PlacedWorkload[]): Promise<void> {
  for (const { bucket, workload } of workloads.splice(0)) await writer.add(bucket, workload);
}
