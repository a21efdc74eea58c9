import fc from "fast-check";
import { expect, test } from "vitest";
import { assessWork } from "../../../functions/domain/node-pool/step/plan-steps.ts";
import { propertyRuns } from "../../support/property-runs.ts";
import { digestA, digestB, pool } from "./pools.ts";
import {
  arbitraryNodeCount,
  arbitraryPool,
  arbitraryRounds,
  type Round,
  runRounds,
} from "./simulation/arbitrary-rounds.ts";
import { breakImage, imageFaults, recover } from "./simulation/fault-events.ts";
import { countHeldSlots, machinesCordonedByPawl, machinesProtectedByPawl } from "./simulation/invariants.ts";
import { runRound, runUntilIdle, writeStatus } from "./simulation/rollout.ts";
import { createWorld } from "./simulation/world.ts";

function deletedBootcNode(rounds: readonly Round[]): boolean {
  return rounds.some(({ before, meanwhile }) => [before, meanwhile].some((one) => one?.kind === "bootc-node-deleted"));
}

/** What the first image does to every node. */
const brokenImage = fc.option(fc.constantFrom(...imageFaults), { freq: 2 });

test("no fault makes a step break an invariant, and after recovery the pool completes", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(arbitraryNodeCount, arbitraryPool, brokenImage, arbitraryRounds, (count, spec, fault, rounds) => {
      const world = createWorld(count, digestA, pool(spec));
      if (fault !== null) breakImage(world, digestB, fault);
      runRounds(world, rounds);
      recover(world);
      // Every poll evaluates held pools again.
      for (let polls = 0; polls < 5; polls += 1) {
        runRound(world);
        writeStatus(world);
      }
      runUntilIdle(world, 400, writeStatus);
      // A node that gave its slot back is drained again hours later.
      world.now = new Date(world.now.getTime() + 8 * 3_600_000);
      const { poolState } = runUntilIdle(world, 400, writeStatus);
      expect(assessWork(poolState)).toEqual({ kind: "completed" });
      const booted = poolState.membership.members.map(({ bootcNode }) => bootcNode.bootedDigest);
      const isBack = poolState.failedDigest !== null;
      expect(booted.filter((digest) => (digest === digestB) === isBack)).toEqual([]);
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
    fc.property(arbitraryNodeCount, arbitraryPool, arbitraryRounds, (count, spec, rounds) => {
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
