import { secondsAfter } from "../../../../functions/domain/text/rfc3339.ts";
import { disruptionBudgetViolated, multipleBudgets } from "../api-errors.ts";
import { isFields, timestamp, type KubeObjectInput, type KubeObject, type ObjectMeta } from "../objects.ts";
import { podDisruptionBudgets, pods } from "../resources.ts";
import { refOf, read, type Api, type ObjectRef } from "./context.ts";
import { budgetsOf, type BudgetStatus } from "./disruption-budgets.ts";
import { checkPreconditions, deleteObject, type DeleteOptions } from "./delete.ts";
import { patch } from "./update.ts";

/**
 * Deletes a pod if its PodDisruptionBudget allows it, and counts it against the budget. Throws 404, 409 if a precondition
 * fails, 429 if the budget does not allow it, and 500 for a pod with several budgets.
 */
export function evict(api: Api, ref: ObjectRef, eviction: KubeObjectInput): void {
  const pod = read(api, ref);
  const options = isFields(eviction["deleteOptions"]) ? (eviction["deleteOptions"] as EvictionOptions) : {};
  checkPreconditions(ref, pod, options);
  if (countsAgainstBudget(pod)) consumeBudget(api, pod);
  terminatePod(api, pod, options);
}

interface EvictionOptions extends DeleteOptions {
  readonly gracePeriodSeconds?: number;
}

/** Reports whether the eviction counts: a pod that is not running, or is already terminating, does not. */
function countsAgainstBudget(pod: KubeObject): boolean {
  const { phase } = pod["status"] as { readonly phase?: string };
  return phase === "Running" && pod.metadata.deletionTimestamp === undefined;
}

function consumeBudget(api: Api, pod: KubeObject): void {
  const [budget, another] = budgetsOf(api, pod);
  if (another) throw multipleBudgets();
  if (!budget) return;
  const { name, generation } = budget.metadata;
  const status = (budget["status"] ?? {}) as Partial<BudgetStatus>;
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  if (status.observedGeneration !== generation)
    throw disruptionBudgetViolated(`The disruption budget ${name} is still being processed by the server.`);
  if (disruptionsAllowed <= 0) {
    const has = `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw disruptionBudgetViolated(`The disruption budget ${name} ${has}`);
  }
  const body = { status: { disruptionsAllowed: disruptionsAllowed - 1 } };
  patch(api, refOf(podDisruptionBudgets, budget), "status", body, "application/merge-patch+json");
}

/** Sets the deletionTimestamp of a pod on a node, whose kubelet removes it later. Deletes other pods at once. */
function terminatePod(api: Api, pod: KubeObject, { gracePeriodSeconds }: EvictionOptions): void {
  const { nodeName, terminationGracePeriodSeconds = 30 } = pod["spec"] as PodTermination;
  const graceSeconds = gracePeriodSeconds ?? terminationGracePeriodSeconds;
  if (!nodeName || graceSeconds <= 0) return void deleteObject(api, refOf(pods, pod), {});
  if (pod.metadata.deletionTimestamp !== undefined) return;
  const deletionTimestamp = timestamp(secondsAfter(api.now(), graceSeconds));
  const metadata: ObjectMeta = { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: graceSeconds };
  api.store.put(pods, { ...pod, metadata });
}

interface PodTermination {
  readonly nodeName?: string;
  readonly terminationGracePeriodSeconds?: number;
}
