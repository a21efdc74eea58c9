import { parseRequest, type PersonRequest } from "../../functions/domain/workload/request/person-request.ts";

/** Returns the request that is written as this text. */
export function requestOf(text: string): PersonRequest {
  return parseRequest(text, []) as PersonRequest;
}
