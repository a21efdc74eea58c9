import type { HistoryEvent } from "@aws-sdk/client-sfn";
import type { ExecutionOutcome } from "./execution.ts";
import { executionFailed, type HistoryEventDraft } from "./history-events.ts";

/** Step Functions fails an execution whose history reaches this many events. */
const maxEvents = 25_000;

const finalStatuses: Readonly<Record<string, ExecutionOutcome["status"]>> = {
  ExecutionSucceeded: "SUCCEEDED",
  ExecutionFailed: "FAILED",
  ExecutionTimedOut: "TIMED_OUT",
  ExecutionAborted: "ABORTED",
};

/** Writes an execution's history. Events after the one that ends the execution are ignored. */
interface HistoryWriter {
  readonly events: readonly HistoryEvent[];
  readonly outcome: ExecutionOutcome | null;
  readonly write: (event: HistoryEventDraft) => void;
}

/** Creates a history writer; `onEvent` is called after each event is written. */
export function createHistoryWriter(
  now: () => Date,
  onEvent: (event: HistoryEventDraft, at: Date) => void,
): HistoryWriter {
  const events: HistoryEvent[] = [];
  let ending: ExecutionOutcome | null = null;
  return {
    events,
    get outcome() {
      return ending;
    },
    write(event) {
      if (ending) return;
      const written = withinLimit(event, events.length);
      const { type, details, result } = written;
      const at = now();
      const status = finalStatuses[type];
      events.push({ ...details, type, id: events.length + 1, previousEventId: events.length, timestamp: at });
      if (status) ending = { status, at, ...result };
      onEvent(written, at);
    },
  };
}

/** Returns the event, or a failure event in place of the last one that the history can hold. */
function withinLimit(event: HistoryEventDraft, written: number): HistoryEventDraft {
  if (written < maxEvents - 1 || finalStatuses[event.type]) return event;
  const cause = `The execution reached the maximum number of history events (${maxEvents}).`;
  return executionFailed({ error: "States.Runtime", cause });
}
