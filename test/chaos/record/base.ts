import { tagOf } from "../../../functions/domain/image/reference.ts";
import { type Attempt, attemptsOf, recordWrites } from "./attempts.ts";
import type { Observed, WorkloadFact } from "./facts.ts";
import { isMove, templateChanges } from "./images.ts";

/** The image that a workload is expected to run while no update is in flight. */
export interface Base {
  readonly image: string;
  /** Who chose it: Pawl by an update that became healthy. */
  readonly by: "Pawl" | "person";
  /** The versions that a person abandoned by a change while they were rolled out, or after. */
  readonly abandoned: readonly string[];
}

/** Returns the image of the last healthy update, or the one that a person set after it. A rollback returns to it. */
export function baseOf(facts: readonly Observed[]): Base | null {
  const first = facts.find(({ fact }) => fact.kind === "workload")?.fact as WorkloadFact | undefined;
  if (first === undefined) return null;
  const { attempts } = attemptsOf(recordWrites(facts));
  const chosen = templateChanges(facts)
    .filter((change) => isMove(change) && change.by === "person")
    .map(({ revision, after }) => ({ revision, image: after.image, by: "person" as const }));
  const updated = attempts
    .filter((attempt): attempt is Attempt & { end: object } => attempt.end !== null && isHealthy(attempt))
    .map(({ end, targetImage }) => ({ revision: end.revision, image: targetImage, by: "Pawl" as const }));
  const last = [...chosen, ...updated].toSorted((one, other) => one.revision - other.revision).at(-1);
  const { image, by, revision } = last ?? { image: first.image, by: "person" as const, revision: 0 };
  const lastChoice = chosen.at(-1)?.revision ?? 0;
  const before = attempts
    .filter(({ begin }) => begin.revision < lastChoice)
    .map(({ targetImage }) => tagOf(targetImage));
  return { image, by, abandoned: by === "person" && revision > 0 ? before : [] };
}

function isHealthy({ entries }: Attempt): boolean {
  return entries.at(-1)?.result === "Healthy";
}
