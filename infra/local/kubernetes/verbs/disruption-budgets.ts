import { matchesSelector, type LabelSelector } from "../../../../functions/domain/text/label-selector.ts";
import type { KubeObject } from "../objects.ts";
import { podDisruptionBudgets } from "../resources.ts";
import type { Api } from "./context.ts";

/** The status of a PodDisruptionBudget. */
export interface BudgetStatus {
  readonly observedGeneration: number;
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
}

/** Returns the PodDisruptionBudgets that cover a pod. */
export function budgetsOf(api: Api, pod: KubeObject): readonly KubeObject[] {
  return api.store
    .list(podDisruptionBudgets, pod.metadata.namespace ?? "")
    .filter((budget) => budgetCovers(budget, pod));
}

/** Reports whether a budget covers a pod of its namespace. An empty selector covers every pod, a missing one none. */
export function budgetCovers(budget: KubeObject, pod: KubeObject): boolean {
  const { selector } = budget["spec"] as { readonly selector?: LabelSelector };
  return selector !== undefined && matchesSelector(selector, pod.metadata.labels ?? {});
}
