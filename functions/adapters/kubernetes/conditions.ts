import { formatRfc3339 } from "../../domain/time.ts";

/** A condition of an object, in the shape of `metav1.Condition`. */
export interface ObjectCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** The list with these conditions set; a transition is timed only where the status changes, as Kubernetes asks. */
export function withConditions(
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
