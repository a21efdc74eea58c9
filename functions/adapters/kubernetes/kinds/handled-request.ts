import { annotations } from "../../../domain/workload/annotations.ts";
import {
  isRefused,
  parseRequest,
  type PersonRequest,
  type RequestAnswer,
} from "../../../domain/workload/person-request.ts";
import type { Change, Condition } from "../../../domain/workload/change.ts";
import type { Annotations } from "../annotation-codec.ts";
import type { ObjectCondition } from "../conditions.ts";

const type = "RequestHandled";

/** In characters, as for Events. */
const maxMessageLength = 1024;

interface Requests {
  readonly request: PersonRequest | null;
  readonly lastRequest: RequestAnswer | null;
}

/** Reads the request of a person from an object that records its own updates, and the answer from its conditions. */
export function readRequests(
  from: Annotations,
  conditions: readonly Pick<ObjectCondition, "type" | "message">[] = [],
): Requests {
  const message = conditions.find((condition) => condition.type === type)?.message ?? "";
  const [, token = "", verb = "", result = ""] = /^(\S+) (\S+): (.*)$/s.exec(message) ?? [];
  const lastRequest = token === "" ? null : { token, verb, result };
  return { request: parseRequest(from[annotations.request], lastRequest === null ? [] : [token]), lastRequest };
}

/** Returns the condition that answers a request: its message begins with the token, so that no request is handled twice. */
export function answerConditions({ answer }: Change): readonly Condition[] {
  if (answer === undefined) return [];
  const { token, verb, result } = answer;
  const message = `${token} ${verb}: ${result}`.slice(0, maxMessageLength);
  return [{ type, status: "True", reason: isRefused(answer) ? "Refused" : "Done", message }];
}
