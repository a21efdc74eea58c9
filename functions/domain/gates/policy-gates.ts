import type { Policy } from "../workload/workload.ts";

/** Returns the names of the gates that a policy has: those of the deployment, and of each update, are not its own. */
export function policyGates(policy: Policy): readonly string[] {
  const { schedule, windows, minimumReleaseAgeSeconds, approval, after, scan, isVerifyRequired } = policy;
  const has = {
    schedule: schedule !== null,
    windows: windows.length > 0,
    minimumAge: minimumReleaseAgeSeconds !== undefined,
    approval: approval !== undefined,
    after: after !== undefined,
    scan: scan !== undefined,
    signature: isVerifyRequired === true,
  };
  return Object.entries(has).flatMap(([name, isSet]) => (isSet ? [name] : []));
}
