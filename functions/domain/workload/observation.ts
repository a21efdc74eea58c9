import type { Readiness } from "./readiness.ts";
import type { Observation, Workload } from "./workload.ts";

/** Returns what a check has to note; null if that is noted, or if the kind has no place for it. */
export function nextObservation(
  { rollout, inFlight }: Pick<Workload, "rollout" | "inFlight">,
  readiness: Readiness,
  now: Date,
): Observation | null {
  const template = rollout?.template;
  const noted = inFlight?.observation;
  if (template === undefined) return null;
  if (readiness.kind === "waiting") {
    const { reason } = readiness;
    return noted?.kind === "waiting" && noted.reason === reason ? null : { kind: "waiting", reason };
  }
  if (readiness.kind !== "progressing") return null;
  return noted?.kind === "observed" && noted.template === template ? null : { kind: "observed", at: now, template };
}
