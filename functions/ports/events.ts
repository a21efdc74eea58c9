import type { UpdateEventType } from "../domain/news.ts";
import type { WorkloadRef } from "../domain/workload.ts";

/** The detail of every event that Pawl puts on the bus. The shape is stable: fields are added, never changed. */
export interface UpdateEventDetail {
  readonly cluster: string;
  readonly workload: WorkloadRef;
  /** null where no execution is involved. */
  readonly execution: string | null;
  /** The tag that ran before, and the tag this event is about; null where there is none or it is not known. */
  readonly currentVersion: string | null;
  readonly version: string | null;
  /** The whole reference this event is about. */
  readonly image: string | null;
  /** A sentence for people; null where the type says everything. */
  readonly reason: string | null;
}

/** What happens, told to whoever listens (source `pawl`). May throw `Throttled` or `Unreachable`. */
export interface Events {
  publish(type: UpdateEventType, detail: UpdateEventDetail): Promise<void>;
}
