import { formatRfc3339 } from "../../domain/text/rfc3339.ts";

/** A condition in the form of `metav1.Condition`. */
export interface ObjectCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** Returns the conditions with these ones set. `lastTransitionTime` changes only with the status, as Kubernetes requires. */
export function setConditions(
  present: readonly ObjectCondition[],
  set: readonly Omit<ObjectCondition, "lastTransitionTime" | "observedGeneration">[],
  observedGeneration: number,
  now: Date,
): readonly ObjectCondition[] {
  const kept = present.filter(({ type }) => !set.some((condition) => condition.type === type));
  const written = set.map((condition) => {
    const before = present.find(({ type }) => type === condition.type);
    const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
    return { ...condition, observedGeneration, lastTransitionTime: since ?? formatRfc3339(now) };
  });
  return [...kept, ...written];
}
