import type { PersonRequest } from "../../functions/domain/workload/request/person-request.ts";
import { requestRefusal } from "../../functions/domain/workload/request/request.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster, RequestedOverride } from "../../functions/ports/cluster.ts";
import { retryOnConflict } from "../../functions/workflows/retry-on-conflict.ts";
import { NotFound } from "../exit-codes.ts";
import { formatWorkloadName } from "./name.ts";
import { readOrThrow } from "./read.ts";
import { describeProblems } from "../../functions/domain/workload/policy/problem.ts";

type Written =
  /** `replaced` is the request of another person that was not answered yet; null if there was none. */
  | { readonly kind: "written"; readonly workload: Workload; readonly replaced: PersonRequest | null }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Writes a request, unless it would be refused. If the workload was changed meanwhile, it is read and decided about again. Throws
 * `NotFound` if there is nothing to write to, and what `retryOnConflict` throws.
 */
export async function writeRequest(
  cluster: Pick<Cluster, "read" | "request">,
  found: Workload,
  request: PersonRequest,
  override?: RequestedOverride,
): Promise<Written> {
  const write = async (workload: Workload): Promise<Written> => {
    const missing = missingRecordReason(workload);
    if (missing !== null) throw new NotFound(`${formatWorkloadName(found.ref)}: ${missing}`);
    const reason = isSourceUnknown(workload) ? null : requestRefusal(workload, request);
    if (reason !== null) return { kind: "refused", reason };
    await cluster.request(workload, request, override);
    return { kind: "written", workload, replaced: workload.request };
  };
  return retryOnConflict({ attempts: 5, current: found, read: () => readOrThrow(cluster, found), write });
}

function missingRecordReason({ ref, record, problems }: Workload): string | null {
  if (record.state === "unavailable" || ref.kind === "AutoUpdate")
    return describeProblems(problems) || "it updates nothing";
  return record.state === "missing"
    ? "it has no AutoUpdate yet; the next poll creates it, so run this command again after that"
    : null;
}

/** The images of a Claw's runtime may be configured for the poll and not for this command. */
function isSourceUnknown({ ref, source }: Workload): boolean {
  return ref.kind === "Claw" && source === null;
}
