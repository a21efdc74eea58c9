import { parseRfc3339 } from "../text/rfc3339.ts";
import { tagOf } from "../image/reference.ts";
import type { PersonRequest } from "../workload/request/person-request.ts";
import { isSameTarget, type Target } from "../workload/target/target.ts";
import type { Workload } from "../workload/workload.ts";
import type { OverridableGate, Override } from "./override.ts";

/** Returns the overrides that belong to a push: of the same person, and with its token, so that nobody uses them a second time. */
export function overridesOf({ overrides = [] }: Pick<Workload, "overrides">, request: PersonRequest) {
  const { verb, argument, token, by } = request;
  return overrides.filter(
    (one) => verb === "push" && one.version === argument && one.token === token && one.user === by,
  );
}

/**
 * Returns the override of a gate for a target: of the push that is requested, or whose update is in progress. It counts for this one digest, and
 * only if an admission policy has compared it. That of a push whose update has ended counts for no later update. null if there is none.
 */
export function overrideFor(workload: Workload, target: Target, gate: OverridableGate): Override | null {
  const { request, inFlight, overrides = [] } = workload;
  if (target.kind !== "image" || target.digest === undefined) return null;
  const isClaimed = inFlight !== null && isSameTarget(inFlight.target, target);
  const unused = overrides.filter((one) => !isUsed(workload, one));
  const candidates = isClaimed ? unused : request === null ? [] : overridesOf(workload, request);
  const version = tagOf(target.image);
  return (
    candidates.find((one) => one.gates.includes(gate) && one.version === version && one.digest === target.digest) ??
    null
  );
}

/** Reports whether an update that began after an override has ended. */
function isUsed({ updateRecord }: Workload, { version, at }: Override): boolean {
  const since = parseRfc3339(at) as Date;
  return updateRecord.versionHistory.some((one) => one.version === version && one.appliedAt >= since);
}
