import { bakingSince } from "../bake/assess-bake.ts";
import type { InFlight } from "./in-flight.ts";
import type { Policy, Workload } from "../workload.ts";
import { recordedRevert } from "./completion.ts";

interface Decided<Kind extends string> {
  readonly kind: Kind;
  readonly reason: string;
}

const interrupted = { kind: "expired", reason: "its rollback was interrupted" } as const;

/** Why an update ends whose end a person requests. */
export const abortedReason = "aborted manually";

/** Returns that a person aborts an update, whatever its pods do; null if nobody does. */
export function abortedUpdate({ verdict }: Pick<Workload, "verdict">): Decided<"fail"> | null {
  return verdict === "abort" ? { kind: "fail", reason: abortedReason } : null;
}

/** Returns what an earlier step or a person decided about an update that is checked again; null if its pods decide. */
export function decidedUpdate(
  { updateRecord, verdict }: Pick<Workload, "updateRecord" | "verdict">,
  inFlight: InFlight,
): Decided<"expired" | "fail" | "bake"> | null {
  if (inFlight.phase === "rollback" || recordedRevert(updateRecord, inFlight) !== null) return interrupted;
  const aborted = abortedUpdate({ verdict });
  if (aborted !== null) return aborted;
  return bakingSince(inFlight) === null ? null : { kind: "bake", reason: "its bake time has begun" };
}

/** Returns what an earlier step, or a person, decided about a canary that is checked again; null if its pods decide. */
export function decidedCanary({ phase }: InFlight): Decided<"expired" | "promoted"> | null {
  if (phase === "rollback") return interrupted;
  return phase === "rollout" ? { kind: "promoted", reason: "already promoted" } : null;
}

/** Returns the result for an update whose replicas are all ready: it is recorded at once, or watched for its bake time. */
export function readyUpdate({ bake }: Policy): Decided<"ready" | "bake"> {
  return { kind: bake === null ? "ready" : "bake", reason: "all replicas are updated and ready" };
}
