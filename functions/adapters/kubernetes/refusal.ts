import { ApiException } from "@kubernetes/client-node";
import { Refused } from "../errors.ts";
import { statusBody } from "./errors.ts";

/**
 * What an API server says of an object that a webhook or a policy does not let through, or whose webhook cannot be called. The
 * webhook chooses the code (400 where it chooses none), and so does the policy (422). RBAC says `cannot patch resource`.
 */
const ofAdmission = /admission webhook .* denied the request|\bdenied request: |failed calling (admission )?webhook/is;

/** In which words admission refused a request, whatever error was made of it since; null where it was not admission. */
export function admissionRefusal(error: unknown): string | null {
  const answer = error instanceof Error && !(error instanceof ApiException) ? error.cause : error;
  if (!(answer instanceof ApiException)) return null;
  const { message = "" } = statusBody(answer);
  return ofAdmission.test(message) ? message : null;
}

/** Does a write. Throws `Refused` where admission does not let this object through, which says nothing of others. */
export async function refusable<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const refusal = admissionRefusal(error);
    throw refusal === null ? error : new Refused(refusal, { cause: error });
  }
}
