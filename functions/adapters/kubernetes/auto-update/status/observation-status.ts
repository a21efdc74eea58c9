import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { Observation } from "../../../../domain/workload/policy/observation-kinds.ts";
import type { InFlight, Rollback } from "../../../../domain/workload/update/in-flight.ts";
import type { NotedStatus } from "./noted-status.ts";
import type { UpdateStatus } from "./status-fields.ts";

type Noted = Pick<InFlight, "revertedAt" | "unavailableBefore" | "observation">;
type Status = Pick<UpdateStatus, "revertedAt"> &
  Omit<NotedStatus, "template" | "parked" | "health" | "failing" | "slow">;

/** Reads what the checks of an update have noted. */
export function readNoted(status: Status): { readonly observation?: Observation } {
  const observation = readObservation(status);
  return observation === null ? {} : { observation };
}

/** Reads what was noted of a rollback. */
export function readRevert(status: Status): Pick<Rollback, "revertedAt" | "observation"> {
  const observation = readObservation(status);
  const revertedAt = parseRfc3339(status.revertedAt ?? "");
  return {
    ...(revertedAt === null ? {} : { revertedAt }),
    ...(observation === null || observation.kind === "baking" ? {} : { observation }),
  };
}

function readObservation({ bakingSince, waitingReason, waitingSince, ...observed }: Status): Observation | null {
  const since = parseRfc3339(bakingSince ?? "");
  if (since !== null) return { kind: "baking", since };
  if (waitingReason !== undefined) {
    const waiting = { kind: "waiting", reason: waitingReason } as const;
    const from = parseRfc3339(waitingSince ?? "");
    return from === null ? waiting : { ...waiting, since: from };
  }
  const { observedAt, observedTemplate: template, observedRemaining: remaining, observedDesired: desired } = observed;
  const at = parseRfc3339(observedAt ?? "");
  if (at === null || template === undefined) return null;
  const counted = remaining === undefined || desired === undefined ? {} : { remaining, desired };
  return { kind: "observed", at, template, ...counted };
}

/** Returns what was noted as a status has it. */
export function toNotedStatus({ revertedAt, unavailableBefore, observation }: Noted): Status {
  return {
    ...(revertedAt === undefined ? {} : { revertedAt: formatRfc3339(revertedAt) }),
    ...(unavailableBefore === undefined ? {} : { unavailableBefore }),
    ...(observation === undefined ? {} : toObservationStatus(observation)),
  };
}

function toObservationStatus(observation: Observation): Status {
  if (observation.kind === "waiting") {
    const { reason, since } = observation;
    return { waitingReason: reason, ...(since === undefined ? {} : { waitingSince: formatRfc3339(since) }) };
  }
  if (observation.kind === "baking") return { bakingSince: formatRfc3339(observation.since) };
  const { at, template, remaining, desired } = observation;
  return {
    observedAt: formatRfc3339(at),
    observedTemplate: template,
    ...(remaining === undefined ? {} : { observedRemaining: remaining }),
    ...(desired === undefined ? {} : { observedDesired: desired }),
  };
}

/** Returns the update with another observation. */
export function withObservation(update: UpdateStatus, observation: Observation): UpdateStatus {
  const {
    observedAt: _at,
    observedTemplate: _template,
    waitingReason: _reason,
    bakingSince: _since,
    ...others
  } = update;
  const { observedRemaining: _remaining, observedDesired: _desired, waitingSince: _waiting, ...rest } = others;
  return { ...rest, ...toObservationStatus(observation) };
}
