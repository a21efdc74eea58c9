import type { Candidate } from "../domain/gates/candidate.ts";
import type { Gate } from "../domain/gates/gate.ts";
import { createMinimumAgeGate } from "../domain/gates/minimum-age.ts";

/** Returns the gates that judge each version by itself, by what is known of the versions. */
export function candidateGates(candidates: readonly Candidate[]): readonly Gate[] {
  return [createMinimumAgeGate(candidates)];
}
