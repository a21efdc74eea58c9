import type { Workload } from "../../domain/workload/workload.ts";
import type { OnSkipped } from "../../ports/cluster.ts";
import { isFailedRequest, isUnauthenticated } from "./errors.ts";
import { apiVersionOf, type ObjectMeta, type Resource } from "./objects.ts";

/** An object that its API server accepts, and that has not the form of its kind. */
class ObjectInvalid extends Error {
  override readonly name = "ObjectInvalid";
}

interface OnFailure {
  /** Called if the object cannot be parsed. */
  readonly onInvalid: OnSkipped;
  /** Called if a request for it failed. */
  readonly onUnread: OnSkipped;
}

/**
 * Runs what reads one object of a list. If it fails, reports that and returns nothing, so that it affects no other object. Throws if
 * requests are not authenticated, which affects all of them.
 */
export async function isolateObject(
  { namespace, name }: ObjectMeta,
  resource: Resource,
  { onInvalid, onUnread }: OnFailure,
  read: () => Promise<Workload[]>,
): Promise<Workload[]> {
  try {
    return await read();
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (isUnauthenticated(failure)) throw failure;
    if (isFailedRequest(failure)) {
      onUnread(failure);
      return [];
    }
    const subject = `${apiVersionOf(resource)} ${resource.kind} ${namespace}/${name}`;
    onInvalid(new ObjectInvalid(`${subject} cannot be parsed and is skipped: ${failure.message}; correct the object`));
    return [];
  }
}
