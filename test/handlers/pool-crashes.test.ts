import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestB } from "../domain/node-pool/pools.ts";
import { anyFaults, type Faults, interruptions } from "./interruptions.ts";
import { rollToTheEnd } from "./pool-by-hand.ts";
import { poolWorld, type PoolWorld } from "./pool-world.ts";

/** Throws where more nodes than maxUnavailable are held or cordoned. */
function watch({ ports, names }: PoolWorld): void {
  const nodes = names.map((name) => ports.nodePools.node(name));
  const held = nodes.filter(({ node, bootcNode }) => node?.cordonedFor || bootcNode?.slot);
  if (held.length > 1) throw new Error(`${held.map(({ name }) => name).join(" and ")} are held at once`);
}

/** More moments than a rollout of three nodes has. */
const allMoments = 240;

async function endAfter(faults: Faults) {
  let isWatched = false;
  const interrupt = interruptions(faults);
  const world: PoolWorld = poolWorld({
    atMoment() {
      if (isWatched) watch(world);
      interrupt();
    },
  });
  isWatched = true;
  await rollToTheEnd(world.ports, world.turn);
  const { nodePools } = world.ports;
  return {
    claim: nodePools.pool("workers").execution,
    status: nodePools.pool("workers").status.conditions.map(({ reason }) => reason),
    nodes: world.names.map((name) => {
      const { node, bootcNode } = nodePools.node(name);
      return [bootcNode?.bootedDigest, bootcNode?.slot, node?.unschedulable, node?.cordonedFor, node?.ready];
    }),
  };
}

const end = {
  claim: null,
  status: ["AllUpdated", "Healthy"],
  nodes: Array.from({ length: 3 }, () => [digestB, null, false, null, true]),
};

describe("a rollout that is interrupted anywhere", () => {
  test("comes to its end where nothing interrupts it", async () => {
    expect(await endAfter(new Map())).toEqual(end);
  });

  test.for(["killed", "lost"] as const)("at each moment alone, %s, comes to the same end", async (fault) => {
    for (let moment = 1; moment <= allMoments; moment += 1) {
      expect(await endAfter(new Map([[moment, fault]])), `${fault} at moment ${moment}`).toEqual(end);
    }
  });

  test("again and again comes to the same end", async () => {
    await fc.assert(
      fc.asyncProperty(anyFaults, async (faults) => {
        expect(await endAfter(faults)).toEqual(end);
      }),
      { numRuns: 40 },
    );
  });
});
