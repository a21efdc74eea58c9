import { disruptionRefused, severalBudgets } from "../failure.ts";
import { isFields, timestamp, type Draft, type KubeObject, type ObjectMeta } from "../objects.ts";
import { podDisruptionBudgets, pods } from "../resources.ts";
import { placeOf, read, type Api, type Place } from "./api.ts";
import { budgetsOf, type BudgetStatus } from "./budgets.ts";
import { checkPreconditions, destroy, type DeleteOptions } from "./destroy.ts";
import { patch } from "./update.ts";

/**
 * Deletes a pod where its PodDisruptionBudget lets it go, and counts it against the budget. Throws 404, 409 where a
 * precondition does not hold, 429 where the budget says not yet, and 500 for a pod of several budgets.
 */
export function evict(api: Api, place: Place, eviction: Draft): void {
  const pod = read(api, place);
  const options = isFields(eviction["deleteOptions"]) ? (eviction["deleteOptions"] as EvictionOptions) : {};
  checkPreconditions(place, pod, options);
  if (isCounted(pod)) spendBudget(api, pod);
  end(api, pod, options);
}

interface EvictionOptions extends DeleteOptions {
  readonly gracePeriodSeconds?: number;
}

/** A pod that does not run, or ends anyway, is no loss to any budget. */
function isCounted(pod: KubeObject): boolean {
  const { phase } = pod["status"] as { readonly phase?: string };
  return phase === "Running" && pod.metadata.deletionTimestamp === undefined;
}

function spendBudget(api: Api, pod: KubeObject): void {
  const [budget, another] = budgetsOf(api, pod);
  if (another) throw severalBudgets();
  if (!budget) return;
  const { name, generation } = budget.metadata;
  const status = (budget["status"] ?? {}) as Partial<BudgetStatus>;
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  if (status.observedGeneration !== generation)
    throw disruptionRefused(`The disruption budget ${name} is still being processed by the server.`);
  if (disruptionsAllowed <= 0) {
    const has = `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw disruptionRefused(`The disruption budget ${name} ${has}`);
  }
  const body = { status: { disruptionsAllowed: disruptionsAllowed - 1 } };
  patch(api, placeOf(podDisruptionBudgets, budget), "status", body, "application/merge-patch+json");
}

/** What runs on a node is only marked: its kubelet ends it, and takes it away. */
function end(api: Api, pod: KubeObject, { gracePeriodSeconds }: EvictionOptions): void {
  const { nodeName, terminationGracePeriodSeconds = 30 } = pod["spec"] as Ending;
  const graceSeconds = gracePeriodSeconds ?? terminationGracePeriodSeconds;
  if (!nodeName || graceSeconds <= 0) return void destroy(api, placeOf(pods, pod), {});
  if (pod.metadata.deletionTimestamp !== undefined) return;
  const deletionTimestamp = timestamp(new Date(api.now().getTime() + graceSeconds * 1000));
  const metadata: ObjectMeta = { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: graceSeconds };
  api.store.put(pods, { ...pod, metadata });
}

interface Ending {
  readonly nodeName?: string;
  readonly terminationGracePeriodSeconds?: number;
}
