import fc from "fast-check";
import { expect, test } from "vitest";
import { assessWork } from "../../../functions/domain/node-pool/plan-steps.ts";
import { maxSlots } from "../../../functions/domain/node-pool/slots.ts";
import { parseWindow } from "../../../functions/domain/node-pool/maintenance-windows.ts";
import { digestA, digestB, pool } from "./pools.ts";
import { arbitraryEvent, applyEvent, recover, type SimulatedEvent } from "./simulation/fault-events.ts";
import { runRound, runUntilIdle } from "./simulation/rollout.ts";
import { machinesCordonedByPawl, machinesProtectedByPawl, countHeldSlots } from "./simulation/invariants.ts";
import { observe, type World, createWorld } from "./simulation/world.ts";
import { propertyRuns } from "../../support/property-runs.ts";

/** Rare, so that a rollout makes progress between two events. */
const rareEvent = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: arbitraryEvent });
/** Events of one round: before it and during it, when Pawl may be killed too. */
const arbitraryRound = fc.record({
  before: rareEvent,
  meanwhile: rareEvent,
  afterSteps: fc.nat(6),
  isKilled: fc.nat(3).map((chance) => chance === 0),
});
const arbitraryRounds = fc.array(arbitraryRound, { minLength: 5, maxLength: 60, size: "max" });
const window = parseWindow({ schedule: "*/30 * * * *", durationSeconds: 900 });
const everyHalfHour = window.kind === "window" ? window : expect.unreachable(window.reason);
const arbitraryPool = fc.record({
  maxUnavailable: fc.oneof(
    fc.record({ unit: fc.constant("nodes" as const), amount: fc.nat(4) }),
    fc.record({ unit: fc.constant("percent" as const), amount: fc.nat(100) }),
  ),
  preStageWhilePaused: fc.boolean(),
  windows: fc.constantFrom([], [everyHalfHour]),
  drainTimeoutSeconds: fc.option(fc.constant(300)),
  rebootTimeoutSeconds: fc.option(fc.constant(600)),
  minReadySeconds: fc.constantFrom(0, 60, 300),
});

type Round = typeof arbitraryRound extends fc.Arbitrary<infer T> ? T : never;

/** Runs the rounds and checks the invariants of every step, and the number of cordoned nodes after each round. */
function runRounds(world: World, rounds: readonly Round[]): void {
  let maxHeld = 0;
  for (const { before, meanwhile, afterSteps, isKilled } of rounds) {
    if (before !== null) applyEvent(world, before);
    const { members, joining } = observe(world).membership;
    // A lower maxUnavailable neither releases held slots early nor acquires any.
    maxHeld = Math.max(
      maxSlots(world.pool.spec, members.length + joining.length),
      Math.min(maxHeld, countHeldSlots(world)),
    );
    const applyLater = (event: SimulatedEvent | null) => () => event !== null && applyEvent(world, event);
    runRound(world, { afterSteps, isKilled, meanwhile: applyLater(meanwhile) });
    expect(machinesCordonedByPawl(world).length).toBeLessThanOrEqual(maxHeld);
  }
}

function deletedBootcNode(rounds: readonly Round[]): boolean {
  return rounds.some(({ before, meanwhile }) => [before, meanwhile].some((one) => one?.kind === "bootc-node-deleted"));
}

const nodes = fc.integer({ min: 1, max: 6 });

test("no fault makes a step break an invariant, and after recovery the pool completes", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(nodes, arbitraryPool, arbitraryRounds, (count, spec, rounds) => {
      const world = createWorld(count, digestA, pool(spec));
      runRounds(world, rounds);
      recover(world);
      // Every poll evaluates held pools again.
      for (let polls = 0; polls < 5; polls += 1) runRound(world);
      const { poolState } = runUntilIdle(world, 400);
      expect(assessWork(poolState)).toEqual({ kind: "completed" });
      expect(poolState.membership.members.map(({ bootcNode }) => bootcNode.bootedDigest)).toEqual(
        poolState.membership.members.map(() => digestB),
      );
      expect(countHeldSlots(world)).toBe(0);
      expect(machinesCordonedByPawl(world)).toEqual([]);
      expect(machinesProtectedByPawl(world)).toEqual([]);
      const wronglyCordoned = world.machines.filter(
        ({ node, cordonedBy }) => node?.unschedulable !== (cordonedBy === "person"),
      );
      expect(wronglyCordoned.filter(({ node }) => node !== null)).toEqual([]);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test("a pool that is deleted amid faults leaves nothing behind", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(nodes, arbitraryPool, arbitraryRounds, (count, spec, rounds) => {
      const world = createWorld(count, digestA, pool(spec));
      runRounds(world, rounds);
      world.pool = { ...world.pool, isBeingDeleted: true };
      expect(assessWork(runUntilIdle(world).poolState)).toEqual({ kind: "completed" });
      for (const { node, bootcNode, cordonedBy } of world.machines) {
        expect(bootcNode).toBeNull();
        // The record of the label is lost if a person deleted the BootcNode.
        expect(deletedBootcNode(rounds) ? undefined : node?.labels["bootc.dev/managed"]).toBeUndefined();
        expect(node?.protection ?? null).toBeNull();
        expect(node?.unschedulable ?? false).toBe(node !== null && cordonedBy === "person");
      }
    }),
    { numRuns: propertyRuns(120) },
  );
});
