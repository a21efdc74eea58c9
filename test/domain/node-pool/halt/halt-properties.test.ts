import fc from "fast-check";
import { expect, test } from "vitest";
import { maxSlots } from "../../../../functions/domain/node-pool/step/slots.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { digestA, digestB, digestC, imageA, pool } from "../pools.ts";
import {
  arbitraryNodeCount,
  arbitraryPool,
  arbitraryRounds,
  noHealthChecks,
  runRounds,
} from "../simulation/arbitrary-rounds.ts";
import { breakImage, imageFaults, type SimulatedEvent } from "../simulation/fault-events.ts";
import { countHeldSlots, machinesCordonedByPawl } from "../simulation/invariants.ts";
import { runUntilIdle, writeStatus } from "../simulation/rollout.ts";
import { createWorld } from "../simulation/world.ts";

/** Every pool that can roll out and notice each of the faults. With stageAhead, nodes join later, and get the image to which it goes back. */
const arbitraryCheckedPool = arbitraryPool
  .filter(({ maxUnavailable, healthChecks }) => maxUnavailable.amount > 0 && healthChecks !== noHealthChecks)
  .map((spec) => ({ ...spec, windows: [], stageAhead: null }));

test("an image that breaks every node reaches no more nodes than there are slots, and only these go back", () => {
  const arbitraryFault = fc.constantFrom(...imageFaults);
  fc.assert(
    fc.property(arbitraryNodeCount, arbitraryCheckedPool, arbitraryFault, fc.nat(6), (count, spec, fault, older) => {
      const world = createWorld(count, digestA, pool(spec, { status: { rollbackImage: imageA } }));
      for (const machine of world.machines.slice(0, older)) machine.booted = digestC;
      const before = world.machines.map(({ booted }) => booted);
      breakImage(world, digestB, fault);
      const { steps } = runUntilIdle(world, 400, writeStatus);
      const reached = new Set(steps.filter(({ step }) => step.kind === "approve").map(({ name }) => name));
      expect(reached.size).toBeLessThanOrEqual(maxSlots(world.pool.spec, count));
      const isBack = spec.onHalt === "Rollback";
      expect(world.pool.status.failedDigests).toEqual(isBack ? [digestB] : []);
      const now = world.machines.map(({ booted }) => booted);
      const ofReached = isBack ? digestA : digestB;
      expect(now).toEqual(world.machines.map(({ name }, index) => (reached.has(name) ? ofReached : before[index])));
      const left = isBack ? [countHeldSlots(world), machinesCordonedByPawl(world).length] : [0, 0];
      expect(left).toEqual([0, 0]);
    }),
    { numRuns: propertyRuns(150) },
  );
});

test("nothing but a fault of a node blames an image", () => {
  const isHarmless = (event: SimulatedEvent | null) => event?.kind !== "fault" && event?.kind !== "broken-image";
  const harmlessRounds = arbitraryRounds.map((rounds) =>
    rounds.filter(({ before, meanwhile }) => isHarmless(before) && isHarmless(meanwhile)),
  );
  fc.assert(
    fc.property(arbitraryNodeCount, arbitraryPool, harmlessRounds, (count, spec, rounds) => {
      const world = createWorld(count, digestA, pool({ ...spec, onHalt: "Rollback" }));
      runRounds(world, rounds);
      expect(world.pool.status).toMatchObject({ failedDigests: [], haltedAt: null });
    }),
    { numRuns: propertyRuns(150) },
  );
});
