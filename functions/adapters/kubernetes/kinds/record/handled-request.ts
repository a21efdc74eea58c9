import { truncate } from "../../../../domain/text/summarize-list.ts";
import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import {
  isRefused,
  maxEarlierTokens,
  parseRequest,
  type PersonRequest,
  type RequestAnswer,
} from "../../../../domain/workload/request/person-request.ts";
import type { Change, Condition } from "../../../../domain/workload/update/change.ts";
import type { Annotations } from "../../annotation-codec.ts";
import type { ObjectCondition } from "../../conditions.ts";

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
  uid: string,
  conditions: readonly Pick<ObjectCondition, "type" | "message">[] = [],
): Requests {
  const { lastRequest, tokens } = readAnswer(conditions);
  return { request: parseRequest(from[annotations.request], tokens, uid), lastRequest };
}

interface Handled {
  readonly lastRequest: RequestAnswer | null;
  /** Of the requests that were handled, newest first. */
  readonly tokens: readonly string[];
}

const earlierMark = " (handled before: ";

function readAnswer(conditions: readonly Pick<ObjectCondition, "type" | "message">[]): Handled {
  const message = conditions.find((condition) => condition.type === type)?.message ?? "";
  const mark = message.endsWith(")") ? message.lastIndexOf(earlierMark) : -1;
  const text = mark < 0 ? message : message.slice(0, mark);
  const earlier = mark < 0 ? [] : message.slice(mark + earlierMark.length, -1).split(" ");
  const [, token = "", verb = "", result = ""] = /^(\S+) (\S+): (.*)$/s.exec(text) ?? [];
  return token === ""
    ? { lastRequest: null, tokens: [] }
    : { lastRequest: { token, verb, result }, tokens: [token, ...earlier] };
}

/** Returns the condition that answers a request. Its message has the tokens of those that were handled, so that none is handled twice. */
export function answerConditions(
  { answer }: Change,
  present: readonly Pick<ObjectCondition, "type" | "message">[] = [],
): readonly Condition[] {
  if (answer === undefined) return [];
  const { token, verb, result } = answer;
  const tokens = readAnswer(present).tokens.filter((one) => one !== token);
  const earlier = tokens.length === 0 ? "" : `${earlierMark}${tokens.slice(0, maxEarlierTokens).join(" ")})`;
  const message = `${truncate(`${token} ${verb}: ${result}`, maxMessageLength)}${earlier}`;
  return [{ type, status: "True", reason: isRefused(answer) ? "Refused" : "Done", message }];
}
