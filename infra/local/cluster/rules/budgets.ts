import { selects, type LabelSelector } from "../../../../functions/domain/label-selector.ts";
import type { KubeObject } from "../objects.ts";
import { podDisruptionBudgets } from "../resources.ts";
import type { Api } from "./api.ts";

/** What the controller of a PodDisruptionBudget says of its pods. */
export interface BudgetStatus {
  readonly observedGeneration: number;
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
}

/** The PodDisruptionBudgets that a pod falls under. */
export function budgetsOf(api: Api, pod: KubeObject): readonly KubeObject[] {
  return api.store.list(podDisruptionBudgets, pod.metadata.namespace ?? "").filter((budget) => isUnder(budget, pod));
}

/** An empty selector is that of every pod of the namespace, and none that of no pod. */
export function isUnder(budget: KubeObject, pod: KubeObject): boolean {
  const { selector } = budget["spec"] as { readonly selector?: LabelSelector };
  return selector !== undefined && selects(selector, pod.metadata.labels ?? {});
}
