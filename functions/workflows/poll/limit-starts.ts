import { setImmediate } from "node:timers/promises";
import type { Ports } from "../../contract/ports.ts";
import { assignPlaces, type Occupied } from "../../domain/gates/limits/assign-places.ts";
import type { Concurrency } from "../../domain/gates/limits/limit-settings.ts";
import { limitsHold } from "../../domain/gates/limits/limits-gate.ts";
import {
  blockerOf,
  memberOf,
  type StartFacts,
  unclaimed,
  type WaitingMember,
  waitingSince,
} from "../../domain/gates/limits/start-facts.ts";
import { laterWaves, mayBlock, unevaluatedHold } from "../../domain/gates/limits/unevaluated.ts";
import type { Hold } from "../../domain/workload/decision/decision.ts";
import { versionOfTarget } from "../../domain/workload/target/target.ts";
import { type HeldLease, noLease } from "./hold-lease.ts";
import type { PlacedWorkload } from "./place-workload.ts";
import type { StartLimiter, Update } from "./start-limiter.ts";
import { undecidedMembers } from "./undecided-members.ts";

export interface LimiterOptions {
  readonly limits: Concurrency;
  readonly facts: StartFacts;
  /** What the poll evaluates. */
  readonly workloads: readonly Pick<PlacedWorkload, "workload">[];
  readonly executions: Pick<Ports["executions"], "listRunning">;
  readonly now: () => Date;
  /** Takes the Lease of polls while updates start; null if the poll has it. */
  readonly takeLease: (() => Promise<HeldLease>) | null;
}

interface Request {
  readonly update: Update;
  readonly member: WaitingMember;
  readonly resolve: (held: Hold | null) => void;
}

/** Places are given out if nothing else is evaluated, and so often while a registry delays the rest. */
const roundMs = 10_000;

/** Limits the starts of a poll, which gives out the free places itself while it holds the Lease. */
export function createStartLimiter(options: LimiterOptions): StartLimiter {
  const { limits, facts, executions, now, takeLease } = options;
  const requests = new Map<string, Request>();
  const starting = new Map<string, WaitingMember>();
  const undecided = undecidedMembers(options.workloads, facts, now());
  const isBeforeOthers = laterWaves(options.workloads.map(({ workload }) => workload));
  const polled = new Set(options.workloads.map(({ workload }) => workload.ref.uid));
  // A poll for a push comes before nobody who waits for the next complete one.
  const others = facts.waiting.filter(({ uid }) => !polled.has(uid));
  const held = new Map<string, WaitingMember>();
  const failed = new Set<string>();
  let evaluating = 0;
  let granted: WaitingMember[] = [];
  let places: Promise<Places> | null = null;
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(startRound, roundMs);
  timer.unref();

  function startRound(): void {
    round = round.then(giveOut);
  }

  /** Waits until all that is ready to be evaluated has begun. */
  async function settle(): Promise<void> {
    await setImmediate();
    if (evaluating === 0 && requests.size > 0) startRound();
  }

  async function takePlaces(): Promise<Places> {
    const lease = takeLease === null ? noLease : await takeLease();
    if (lease.kind === "taken") return { kind: "nominated" };
    granted = [];
    try {
      const running = await executions.listRunning();
      return { kind: "held", lease, unclaimed: unclaimed(facts, running, now()) };
    } catch (error) {
      await lease.release({ isOver: true });
      return { kind: "unknown", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  async function giveOut(): Promise<void> {
    const batch = [...requests.values()];
    if (batch.length === 0) return;
    places ??= takePlaces();
    const taken = await places;
    if (taken.kind !== "held") {
      places = null;
      for (const one of batch) answer(one, holdOf(one, taken, batch.length));
      return;
    }
    const occupied: Occupied = { moving: [...facts.moving, ...granted], unclaimed: taken.unclaimed };
    const members = batch.map(({ member }) => member);
    const pending = [...undecided.values()];
    const before = pending.map(({ blocks }) => blocks).filter((one) => one !== null);
    const blockers = [...facts.blockers, ...granted.map(blockerOf), ...before];
    const reserving = pending.map(({ waits }) => waits).filter((one) => one !== null);
    const waiting = [...members, ...held.values(), ...reserving, ...others];
    const assigned = assignPlaces(waiting, blockers, occupied, limits);
    const chosen = new Set(assigned.granted.map(({ uid }) => uid));
    for (const one of batch) {
      const { member } = one;
      const wait = assigned.waits.get(member.uid);
      if (chosen.has(member.uid)) {
        granted.push(member);
        starting.set(member.uid, member);
      }
      answer(one, wait === undefined ? null : holdOf(one, wait, assigned.waits.size));
    }
    await releaseIfIdle();
  }

  function holdOf({ update, member }: Request, wait: Parameters<typeof limitsHold>[1], waiting: number): Hold {
    return limitsHold(update, wait, { waiting, max: limits.total }, member.since);
  }

  function answer({ member, resolve }: Request, hold: Hold | null): void {
    requests.delete(member.uid);
    if (hold !== null) held.set(member.uid, member);
    evaluating += 1;
    resolve(hold);
  }

  /** The Lease of a poll that has it only for this is released as soon as nothing starts. */
  async function releaseIfIdle(): Promise<void> {
    if (takeLease === null || starting.size > 0 || places === null) return;
    const taken = await places;
    places = null;
    if (taken.kind === "held") await taken.lease.release({ isOver: true });
  }

  return {
    request(workload, update) {
      const { uid } = workload.ref;
      if (starting.has(uid)) return Promise.resolve(null);
      undecided.delete(uid);
      held.delete(uid);
      const member = { ...memberOf(workload, versionOfTarget(update.target)), since: waitingSince(workload, now()) };
      const { promise, resolve } = Promise.withResolvers<Hold | null>();
      requests.set(uid, { update, member, resolve });
      evaluating -= 1;
      void settle();
      return promise;
    },
    fail(workload, cause) {
      const { uid } = workload.ref;
      const { blocks = null } = undecided.get(uid) ?? {};
      if (requests.has(uid)) return null;
      failed.add(uid);
      if (blocks !== null && mayBlock(workload)) undecided.set(uid, { waits: null, blocks });
      else undecided.delete(uid);
      const failure = { cause, hadPlace: starting.has(uid), isBefore: isBeforeOthers(workload) };
      return unevaluatedHold(workload, failure, now());
    },
    async track({ ref }, evaluate) {
      evaluating += 1;
      try {
        return await evaluate();
      } finally {
        evaluating -= 1;
        if (!failed.has(ref.uid)) undecided.delete(ref.uid);
        starting.delete(ref.uid);
        round = round.then(releaseIfIdle);
        void settle();
      }
    },
    async end() {
      clearInterval(timer);
      await round;
      starting.clear();
      await releaseIfIdle();
    },
  };
}

type Places =
  | {
      readonly kind: "held";
      readonly lease: Extract<HeldLease, { readonly kind: "held" }>;
      readonly unclaimed: readonly string[];
    }
  | { readonly kind: "nominated" }
  | { readonly kind: "unknown"; readonly reason: string };
