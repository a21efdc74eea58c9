import type { KubeObject } from "../objects.ts";
import { podDisruptionBudgets, pods } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { isUnder, type BudgetStatus } from "../rules/budgets.ts";
import { patch } from "../rules/update.ts";
import { isReady, share } from "./workload.ts";

/** Says how many pods of a PodDisruptionBudget may go now. */
export function reconcileBudget(api: Api, budget: KubeObject): void {
  const under = api.store.list(pods, budget.metadata.namespace ?? "").filter((pod) => isUnder(budget, pod));
  const status = statusOf(budget, under, scaleOf(api, under));
  patch(api, placeOf(podDisruptionBudgets, budget), "status", { status }, "application/merge-patch+json");
}

interface BudgetSpec {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

/** As upstream: a number of pods that must be there is taken of the pods, everything else of what their controllers want. */
function statusOf(budget: KubeObject, under: readonly KubeObject[], scale: number | null): BudgetStatus {
  const { minAvailable, maxUnavailable } = budget["spec"] as BudgetSpec;
  const isNumber = maxUnavailable === undefined && typeof minAvailable === "number";
  const expectedPods = isNumber ? under.length : (scale ?? 0);
  const desiredHealthy =
    maxUnavailable === undefined
      ? share(minAvailable, expectedPods, Math.ceil)
      : Math.max(0, expectedPods - share(maxUnavailable, expectedPods, Math.ceil));
  const currentHealthy = under.filter(isHealthy).length;
  const spare = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return {
    observedGeneration: budget.metadata.generation ?? 0,
    disruptionsAllowed: spare,
    currentHealthy,
    desiredHealthy,
    expectedPods,
  };
}

function isHealthy(pod: KubeObject): boolean {
  return isReady(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** The replicas that the controllers of the pods want together; null where a pod has none, which lets no pod go. */
function scaleOf(api: Api, under: readonly KubeObject[]): number | null {
  const replicas = new Map<string, number>();
  for (const { metadata } of under) {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    const resource = owner && api.catalogue.findKind(owner.apiVersion, owner.kind);
    const found = resource && api.store.get(resource, metadata.namespace ?? "", owner.name);
    if (!found) return null;
    replicas.set(found.metadata.uid, (found["spec"] as { readonly replicas?: number }).replicas ?? 1);
  }
  return [...replicas.values()].reduce((sum, count) => sum + count, 0);
}
