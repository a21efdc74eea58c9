import { expect, test } from "vitest";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { digestB } from "../domain/node-pool/pools.ts";
import { rollToTheEnd } from "../handlers/pool-by-hand.ts";
import { newPool, poolStep, type PoolWorld, poolWorld } from "../handlers/pool-world.ts";

const twoAtOnce = newPool({ maxUnavailable: { unit: "nodes", amount: 2 } });

function setReady({ ports }: PoolWorld, name: string, ready: boolean): void {
  const at = ports.nodePools.node(name);
  if (at.node !== null && at.node.ready !== ready) ports.nodePools.putNode({ ...at, node: { ...at.node, ready } });
}

/** Four nodes, of which the first two reboot into the image and do not get Ready; rolled until a poll starts nothing more. */
async function halted(): Promise<PoolWorld> {
  const world = poolWorld({ of: twoAtOnce, count: 4 });
  await rollToTheEnd(world.ports, () => {
    world.turn();
    for (const name of ["w1", "w2"]) {
      if (world.ports.nodePools.node(name).bootcNode?.bootedDigest === digestB) setReady(world, name, false);
    }
  });
  return world;
}

function reasonOf({ ports }: PoolWorld) {
  return ports.nodePools.pool("workers").status.conditions.find(({ type }) => type === "Degraded")?.reason;
}

test("a rollout that is halted by nodes that do not get Ready comes to its end, and no poll begins it again", async () => {
  const world = await halted();
  const { started } = world.ports.poolExecutions;
  const before = started.length;
  expect(reasonOf(world)).toBe("RolloutHalted");
  expect(world.ports.nodePools.pool("workers").execution).toBeNull();
  for (const _ of ["one poll", "the next"]) {
    world.ports.pass(300);
    expect((await pollCluster(world.ports)).pools).toMatchObject({ started: 0, adopted: 0, recorded: 0, failed: [] });
  }
  expect(started.length).toBe(before);
  expect(before).toBeLessThan(4);
});

test("its execution ends as halted", async () => {
  const world = await halted();
  world.ports.nodePools.putPool({ ...world.ports.nodePools.pool("workers"), execution: "roll-9" });
  const input = { ...poolStep("roll-9"), executionStartedAt: world.ports.now().toISOString(), ticks: 0 };
  expect(await stepNodes(world.ports, input)).toMatchObject({
    kind: "halted",
    reason: expect.stringContaining("it is to be Ready on its new image"),
  });
});

test("the next poll goes on with it when a node has got Ready", async () => {
  const world = await halted();
  world.ports.pass(300);
  setReady(world, "w1", true);
  expect((await pollCluster(world.ports)).pools).toMatchObject({ started: 1 });
  setReady(world, "w2", true);
  await rollToTheEnd(world.ports, world.turn);
  expect(reasonOf(world)).toBe("Healthy");
  expect(world.ports.nodePools.pool("workers").status).toMatchObject({ nodeCount: 4, updatedCount: 4 });
});
