import fc from "fast-check";
import { expect } from "vitest";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import type { HealthChecks } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { maxSlots } from "../../../../functions/domain/node-pool/step/slots.ts";
import { applyEvent, arbitraryEvent, type SimulatedEvent } from "./fault-events.ts";
import { countHeldSlots, machinesCordonedByPawl } from "./invariants.ts";
import { runRound, writeStatus } from "./rollout.ts";
import { healthChecks, observe, type World } from "./world.ts";

/** Rare, so that a rollout makes progress between two events. */
const rareEvent = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: arbitraryEvent });
/** Events of one round: before it and during it, when Pawl may be killed too. */
const arbitraryRound = fc.record({
  before: rareEvent,
  meanwhile: rareEvent,
  afterSteps: fc.nat(6),
  isKilled: fc.nat(3).map((chance) => chance === 0),
});
export const arbitraryRounds = fc.array(arbitraryRound, { minLength: 5, maxLength: 60, size: "max" });
export const arbitraryNodeCount = fc.integer({ min: 1, max: 6 });

const window = parseWindow({ schedule: "*/30 * * * *", durationSeconds: 1500 });
const everyHalfHour = window.kind === "window" ? window : expect.unreachable(window.reason);
export const noHealthChecks: HealthChecks = { conditions: [], daemonSets: [] };
export const arbitraryPool = fc.record({
  maxUnavailable: fc.oneof(
    fc.record({ unit: fc.constant("nodes" as const), amount: fc.nat(4) }),
    fc.record({ unit: fc.constant("percent" as const), amount: fc.nat(100) }),
  ),
  preStageWhilePaused: fc.boolean(),
  stageAhead: fc.constantFrom(null, 1, 2),
  cordonedNodes: fc.constantFrom("Skip" as const, "Include" as const),
  windows: fc.constantFrom([], [everyHalfHour]),
  drainTimeoutSeconds: fc.option(fc.constant(300)),
  onDrainTimeout: fc.constantFrom("Report" as const, "GiveBack" as const, "Force" as const),
  rebootTimeoutSeconds: fc.option(fc.constant(600)),
  minReadySeconds: fc.constantFrom(0, 60, 300),
  onHalt: fc.constantFrom("Hold" as const, "Rollback" as const),
  haltThreshold: fc.oneof(
    fc.record({ unit: fc.constant("nodes" as const), amount: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ unit: fc.constant("percent" as const), amount: fc.integer({ min: 1, max: 100 }) }),
  ),
  healthChecks: fc.constantFrom(
    noHealthChecks,
    { ...healthChecks, daemonSets: [] },
    { ...healthChecks, conditions: [] },
  ),
});

export type Round = typeof arbitraryRound extends fc.Arbitrary<infer T> ? T : never;

/** Runs the rounds and checks the invariants of every step, and the number of cordoned nodes after each round. */
export function runRounds(world: World, rounds: readonly Round[]): void {
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
    if (!isKilled) writeStatus(world);
    expect(machinesCordonedByPawl(world).length).toBeLessThanOrEqual(maxHeld);
  }
}
