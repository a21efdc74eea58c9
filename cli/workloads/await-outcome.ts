import {
  describeAnswer,
  isRefused,
  type PersonRequest,
} from "../../functions/domain/workload/request/person-request.ts";
import { awaitAnswer } from "./await-answer.ts";

/** A request that was written, and how it ended. */
export interface Sent {
  readonly workload: string;
  readonly request: PersonRequest;
  readonly outcome: Outcome;
}

export interface Outcome {
  /** "requested": it is written, and not waited for. */
  readonly status:
    | "handled"
    | "refused"
    | "requested"
    | "replaced"
    | "timeout"
    | "healthy"
    | "unhealthy"
    | "no-verdict";
  /** A sentence for people. */
  readonly result: string;
}

/** Waits until a request is answered, and says how it ended. `when` says what handles it. Throws what `read` throws. */
export async function awaitOutcome(
  read: Parameters<typeof awaitAnswer>[0],
  request: PersonRequest,
  timeoutSeconds: number,
  when: string,
): Promise<Outcome> {
  const awaited = await awaitAnswer(read, request, { timeoutSeconds });
  if (awaited.kind === "answered") {
    return { status: isRefused(awaited.answer) ? "refused" : "handled", result: describeAnswer(awaited.answer) };
  }
  if (awaited.kind === "replaced") {
    return { status: "replaced", result: "another request took its place before it was handled" };
  }
  return { status: "timeout", result: `not handled in ${Math.round(timeoutSeconds)} s; the request stays: ${when}` };
}
