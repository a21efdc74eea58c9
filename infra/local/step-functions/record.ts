import type { HistoryEvent } from "@aws-sdk/client-sfn";
import type { Ending } from "./execution.ts";
import { failed, type Happening } from "./happenings.ts";

/** Step Functions fails an execution whose history reaches this many events. */
const mostEvents = 25_000;

const endings: Readonly<Record<string, Ending["status"]>> = {
  ExecutionSucceeded: "SUCCEEDED",
  ExecutionFailed: "FAILED",
  ExecutionTimedOut: "TIMED_OUT",
  ExecutionAborted: "ABORTED",
};

/** An execution's history as it is written: the first event that ends an execution is the last that it takes. */
export interface ExecutionRecord {
  readonly events: readonly HistoryEvent[];
  readonly ending: Ending | null;
  readonly write: (happening: Happening) => void;
}

/** `tell` hears of every event when it has been written. */
export function openRecord(now: () => Date, tell: (happening: Happening, at: Date) => void): ExecutionRecord {
  const events: HistoryEvent[] = [];
  let ending: Ending | null = null;
  return {
    events,
    get ending() {
      return ending;
    },
    write(happening) {
      if (ending) return;
      const written = fitting(happening, events.length);
      const { type, details, result } = written;
      const at = now();
      const status = endings[type];
      events.push({ ...details, type, id: events.length + 1, previousEventId: events.length, timestamp: at });
      if (status) ending = { status, at, ...result };
      tell(written, at);
    },
  };
}

/** The event itself, or in the place of the last that a history holds the failure for being full. */
function fitting(happening: Happening, written: number): Happening {
  if (written < mostEvents - 1 || endings[happening.type]) return happening;
  const cause = `The execution reached the maximum number of history events (${mostEvents}).`;
  return failed({ error: "States.Runtime", cause });
}
