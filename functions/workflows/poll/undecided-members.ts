import {
  anyVersion,
  type Blocker,
  blockerOf,
  isOverdue,
  memberOf,
  recordedWait,
  type StartFacts,
  type WaitingMember,
} from "../../domain/gates/limits/start-facts.ts";
import type { PlacedWorkload } from "./place-workload.ts";

/** What the poll has yet to decide, and what it could not decide. */
interface Undecided {
  /** Its place is kept for it; null if it does not wait. */
  readonly waits: WaitingMember | null;
  /** Later waves wait for it, with any version; null if they do not. */
  readonly blocks: Blocker | null;
}

/** Returns what the poll has yet to decide and may come before others: who waits already and, if there are waves, each workload. */
export function undecidedMembers(
  workloads: readonly Pick<PlacedWorkload, "workload">[],
  facts: StartFacts,
  now: Date,
): Map<string, Undecided> {
  const waiting = new Map(facts.waiting.map((one) => [one.uid, one]));
  const undecided = new Map<string, Undecided>(facts.unevaluated.map((one) => [one.uid, { waits: null, blocks: one }]));
  for (const { workload } of workloads) {
    const { uid } = workload.ref;
    const waits = waiting.get(uid) ?? null;
    const recorded = recordedWait(workload);
    const isBlocking = facts.hasWaves && !(recorded !== undefined && isOverdue(recorded, now));
    if (waits === null && !isBlocking) undecided.delete(uid);
    else undecided.set(uid, { waits, blocks: isBlocking ? blockerOf(memberOf(workload, anyVersion)) : null });
  }
  return undecided;
}
