import type { Evidence } from "./evidence.ts";

/** A container may exit until what it needs answers. One that has been restarted this often is failing. */
const minRestarts = 2;

/**
 * Returns the pods of an update that fail before its deadline: their containers exit again and again, or cannot start at all. A probe that
 * has not passed yet says nothing: the pod may only be starting.
 */
export function failingAlready(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.filter(({ cause: { blames, container, exitCode, restarts } }) => {
    const isPersistent = exitCode === null || restarts >= minRestarts;
    return blames === "version" && container !== null && isPersistent;
  });
}
