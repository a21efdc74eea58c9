import { ApiException } from "@kubernetes/client-node";
import { toPortError } from "../../../../functions/adapters/kubernetes/errors.ts";

/** Returns the port error for a response with this status to `operation`. */
export function portErrorFor(code: number, operation: string): unknown {
  return toPortError(new ApiException(code, "denied", {}, {}), operation);
}
