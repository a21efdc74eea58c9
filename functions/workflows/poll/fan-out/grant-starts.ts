import type { StartGrants } from "../../../contract/poll-fanout.ts";
import type { Ports } from "../../../contract/ports.ts";
import { assignPlaces, maxPositions } from "../../../domain/gates/limits/assign-places.ts";
import { type Concurrency, isBinding } from "../../../domain/gates/limits/limit-settings.ts";
import { limitsHold } from "../../../domain/gates/limits/limits-gate.ts";
import { type StartFacts, unclaimed, waitingSince } from "../../../domain/gates/limits/start-facts.ts";
import { laterWaves, unevaluatedHold } from "../../../domain/gates/limits/unevaluated.ts";
import type { PlacedWorkload } from "../place-workload.ts";
import type { Warn } from "../report.ts";
import type { StartLimiter } from "../start-limiter.ts";

interface GrantOptions {
  readonly facts: StartFacts;
  readonly limits: Concurrency;
  /** Whether the poll has the Lease: only then it gives out places. */
  readonly isComplete: boolean;
  readonly warn: Warn;
}

/**
 * Gives out the places of a poll of many batches to those that waited at their last evaluation. What the batches find waits for the next
 * poll. Returns null if the limits cannot bind.
 */
export async function grantStarts(
  { executions, now }: Pick<Ports, "executions" | "now">,
  { facts, limits, isComplete, warn }: GrantOptions,
): Promise<StartGrants | null> {
  if (!isBinding(limits, facts)) return null;
  const none = { granted: [], queue: [], waiting: facts.waiting.length, max: limits.total };
  if (!isComplete || facts.waiting.length === 0) return none;
  const blockers = [...facts.blockers, ...facts.unevaluated];
  try {
    const occupied = { moving: facts.moving, unclaimed: unclaimed(facts, await executions.listRunning(), now()) };
    const { granted, waits } = assignPlaces(facts.waiting, blockers, occupied, limits);
    const queue: string[] = [];
    for (const [uid, wait] of waits) if (wait.kind === "full" && wait.position !== null) queue[wait.position - 1] = uid;
    return {
      ...none,
      granted: granted.map(({ uid }) => uid),
      queue: queue.slice(0, maxPositions),
      waiting: waits.size,
    };
  } catch (error) {
    const { name, message } = error as Error;
    warn("no update starts: the running executions are not known", { failure: name, reason: message });
    return none;
  }
}

/** Lets the updates of a batch start that have a place. */
export function createGrantedStarts(
  grants: StartGrants | null,
  workloads: readonly Pick<PlacedWorkload, "workload">[],
  now: () => Date,
): StartLimiter {
  const granted = new Set(grants?.granted);
  const requested = new Set<string>();
  const isBeforeOthers = laterWaves(workloads.map(({ workload }) => workload));
  const positions = new Map(grants?.queue.map((uid, index) => [uid, index + 1]));
  return {
    async request(workload, update) {
      const { uid } = workload.ref;
      if (grants === null) return null;
      requested.add(uid);
      if (granted.has(uid)) return null;
      const position = positions.get(uid);
      const wait =
        position === undefined ? ({ kind: "nominated" } as const) : ({ kind: "full", by: "total", position } as const);
      return limitsHold(update, wait, grants, waitingSince(workload, now()));
    },
    fail(workload, cause) {
      if (grants === null) return null;
      const { uid } = workload.ref;
      const hadPlace = granted.has(uid) && requested.has(uid);
      return unevaluatedHold(workload, { cause, hadPlace, isBefore: isBeforeOthers(workload) }, now());
    },
    track: (_workload, evaluate) => evaluate(),
    end: async () => undefined,
  };
}
