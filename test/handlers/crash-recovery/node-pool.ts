import type { AtMoment } from "../../support/fake-cluster.ts";
import fc from "fast-check";
import { digestB } from "../../domain/node-pool/pools.ts";
import { createPoolFixture, type PoolFixture } from "../node-pool/node-pool-fixtures.ts";
import { runUntilComplete } from "../node-pool/run-node-pool-rollout.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

/** Throws if more nodes than maxUnavailable hold a slot or a cordon. */
function assertMaxUnavailable({ ports, names }: PoolFixture): void {
  const nodes = names.map((name) => ports.nodePools.node(name));
  const held = nodes.filter(({ node, bootcNode }) => node?.cordonedByPool || bootcNode?.slot);
  if (held.length > 1) throw new Error(`${held.map(({ name }) => name).join(" and ")} are held at the same time`);
}

async function run(atMoment: AtMoment) {
  let isStarted = false;
  const world: PoolFixture = createPoolFixture({
    atMoment(moment) {
      if (isStarted) assertMaxUnavailable(world);
      atMoment(moment);
    },
  });
  isStarted = true;
  await runUntilComplete(world.ports, world.stepAgents);
  const { nodePools } = world.ports;
  return {
    claim: nodePools.pool("workers").execution,
    status: nodePools.pool("workers").status.conditions.map(({ reason }) => reason),
    nodes: world.names.map((name) => {
      const { node, bootcNode } = nodePools.node(name);
      return [bootcNode?.bootedDigest, bootcNode?.slot, node?.unschedulable, node?.cordonedByPool, node?.ready];
    }),
  };
}

const rollout: Scenario = {
  name: "a pool of three nodes",
  run,
  expected: {
    claim: null,
    status: ["AllUpdated", "Healthy"],
    nodes: Array.from({ length: 3 }, () => [digestB, null, false, null, true]),
  },
};

export const nodePoolRollouts: readonly ScenarioGroup[] = [
  { group: "node pool rollout", scenarios: [rollout], anyScenario: fc.constant(rollout), runs: 40 },
];
