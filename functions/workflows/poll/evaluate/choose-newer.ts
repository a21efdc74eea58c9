import type { Decision } from "../../../domain/workload/decision/decision.ts";
import { supersedableUpdate, withoutUpdate } from "../../../domain/workload/supersede/fix-forward.ts";
import type { Workload } from "../../../domain/workload/workload.ts";

/**
 * Looks for a version that may take the place of an update in flight whose pods fail already, by every rule that would apply had it failed.
 * Returns `adopt` if there is none, also if the registry gives no answer: the update in flight continues.
 */
export async function chooseNewer(
  workload: Workload,
  adopt: Extract<Decision, { readonly kind: "adopt" }>,
  evaluate: (workload: Workload) => Promise<Decision>,
): Promise<Decision> {
  const update = supersedableUpdate(workload);
  if (update?.failing === undefined) return adopt;
  const found = await evaluate(withoutUpdate(workload, update)).catch(() => adopt);
  return found.kind === "update" && found.target.kind === "image" && !found.isRequested ? found : adopt;
}
