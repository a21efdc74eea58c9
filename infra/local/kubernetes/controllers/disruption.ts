import type { KubeObject } from "../objects.ts";
import { podDisruptionBudgets, pods } from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { budgetCovers, type BudgetStatus } from "../verbs/disruption-budgets.ts";
import { patch } from "../verbs/update.ts";
import { isReady, resolveScaledValue } from "./workload.ts";

/** Updates the status of a PodDisruptionBudget. */
export function reconcileBudget(api: Api, budget: KubeObject): void {
  const covered = api.store.list(pods, budget.metadata.namespace ?? "").filter((pod) => budgetCovers(budget, pod));
  const status = statusOf(budget, covered, expectedScale(api, covered));
  patch(api, refOf(podDisruptionBudgets, budget), "status", { status }, "application/merge-patch+json");
}

interface BudgetSpec {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

/** Computes the status. As in Kubernetes, an absolute minAvailable counts pods, and everything else expected replicas. */
function statusOf(budget: KubeObject, covered: readonly KubeObject[], scale: number | null): BudgetStatus {
  const { minAvailable, maxUnavailable } = budget["spec"] as BudgetSpec;
  const isNumber = maxUnavailable === undefined && typeof minAvailable === "number";
  const expectedPods = isNumber ? covered.length : (scale ?? 0);
  const desiredHealthy =
    maxUnavailable === undefined
      ? resolveScaledValue(minAvailable, expectedPods, Math.ceil)
      : Math.max(0, expectedPods - resolveScaledValue(maxUnavailable, expectedPods, Math.ceil));
  const currentHealthy = covered.filter(isHealthy).length;
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

/** Returns the total replicas of the pods' controllers; null if a pod has no controller, so no disruption is allowed. */
function expectedScale(api: Api, covered: readonly KubeObject[]): number | null {
  const replicas = new Map<string, number>();
  for (const { metadata } of covered) {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    const resource = owner && api.resourceRegistry.findKind(owner.apiVersion, owner.kind);
    const found = resource && api.store.get(resource, metadata.namespace ?? "", owner.name);
    if (!found) return null;
    replicas.set(found.metadata.uid, (found["spec"] as { readonly replicas?: number }).replicas ?? 1);
  }
  return [...replicas.values()].reduce((sum, count) => sum + count, 0);
}
