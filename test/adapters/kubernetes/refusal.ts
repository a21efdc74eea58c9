import { ApiException } from "@kubernetes/client-node";
import { namedError } from "../../../functions/adapters/kubernetes/errors.ts";

/** The error that an answer of this status to `what` comes to. */
export function refusalOf(code: number, what: string): unknown {
  return namedError(new ApiException(code, "refused", {}, {}), what);
}
