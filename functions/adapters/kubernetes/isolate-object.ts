import type { Workload } from "../../domain/workload/workload.ts";
import type { OnSkipped } from "../../ports/cluster.ts";
import { apiVersionOf, type ObjectMeta, type Resource } from "./objects.ts";

/** An object that its API server accepts, and that has not the form of its kind. */
class ObjectInvalid extends Error {
  override readonly name = "ObjectInvalid";
}

/** Errors of a request say nothing about the object. */
const requestErrors = new Set(["Unreachable", "Throttled", "Forbidden", "Conflict"]);

/**
 * Runs what reads one object of a list. If the object cannot be parsed, reports it and returns nothing, so that it affects no other
 * object. Throws the errors of requests.
 */
export async function isolateObject(
  { namespace, name }: ObjectMeta,
  resource: Resource,
  onInvalid: OnSkipped,
  read: () => Promise<Workload[]>,
): Promise<Workload[]> {
  try {
    return await read();
  } catch (error) {
    const { name: errorName, message } = error instanceof Error ? error : new Error(String(error));
    if (requestErrors.has(errorName)) throw error;
    const subject = `${apiVersionOf(resource)} ${resource.kind} ${namespace}/${name}`;
    onInvalid(new ObjectInvalid(`${subject} cannot be parsed and is skipped: ${message}; correct the object`));
    return [];
  }
}
