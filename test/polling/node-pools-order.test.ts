import { describe, expect, test } from "vitest";
import { claimPool } from "../../functions/handlers/claim-pool.ts";
import { stepNodes } from "../../functions/handlers/step-nodes.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { NodePool } from "../../functions/domain/node-pool/types.ts";
import { digestB, digestC, fresh } from "../domain/node-pool/pools.ts";
import { rollToTheEnd } from "../handlers/pool-by-hand.ts";
import { newPool, poolStep } from "../handlers/pool-world.ts";
import { turnAgents } from "../support/fake-agents.ts";
import { fakePorts } from "../support/fake-ports.ts";

const one = "quay.io/example/myos:v1";
const two = "quay.io/example/myos:v2";
const names = ["i1", "w1", "w2"];

/** `infra` and `workers`, which comes after it: both run v1, and v2 is not there until it is pushed. */
async function atRest() {
  const registry = { hasTwo: false, isDown: false };
  const infra = newPool({ imageRef: one, nodeSelector: { matchLabels: { role: "infra" } } });
  const ports = fakePorts({
    digests(image) {
      if (registry.isDown || (image === two && !registry.hasTwo)) return new Error("503");
      return [image === two ? digestC : digestB];
    },
    nodePools: {
      pools: [{ ...infra, name: "infra", uid: "pool-2" }, newPool({ imageRef: one, dependsOn: ["infra"] })],
      nodes: [fresh("i1", { uid: "i1-0", labels: { role: "infra" } }), fresh("w1"), fresh("w2")],
    },
  });
  const booted = () => names.map((name) => ports.nodePools.node(name).bootcNode?.bootedDigest);
  const order: string[] = [];
  const turn = () => {
    turnAgents(ports.nodePools, names);
    for (const name of names) {
      const { bootcNode } = ports.nodePools.node(name);
      if (bootcNode?.bootedDigest === digestC && !order.includes(name)) order.push(name);
    }
  };
  await rollToTheEnd(ports, turn);
  expect(booted()).toEqual([digestB, digestB, digestB]);
  return { ports, booted, order, turn, registry };
}

type World = Awaited<ReturnType<typeof atRest>>;

function change({ ports: { nodePools } }: World, name: string, spec: Partial<NodePool["spec"]>): void {
  const pool = nodePools.pool(name);
  nodePools.putPool({ ...pool, spec: { ...pool.spec, ...spec }, generation: pool.generation + 1 });
}

describe("a pool that comes after another", () => {
  test("waits while the new tag of the other cannot be resolved, and goes on after it when it can", async () => {
    const world = await atRest();
    change(world, "infra", { imageRef: two });
    change(world, "workers", { imageRef: `quay.io/example/myos@${digestC}` });
    await rollToTheEnd(world.ports, world.turn);
    expect(world.booted()).toEqual([digestB, digestB, digestB]);
    expect(world.ports.nodePools.node("w1").bootcNode).toMatchObject({ stagedDigest: digestC, slot: null });
    expect((await pollCluster(world.ports)).pools).toMatchObject({ started: 0, held: 1 });
    world.registry.hasTwo = true;
    world.ports.pass(300);
    await rollToTheEnd(world.ports, world.turn);
    expect(world.booted()).toEqual([digestC, digestC, digestC]);
    expect(world.order[0]).toBe("i1");
  });

  test("goes on while the tag that the other has rolled out cannot be asked for again", async () => {
    const world = await atRest();
    world.registry.isDown = true;
    world.ports.pass(300);
    change(world, "workers", { imageRef: `quay.io/example/myos@${digestC}` });
    await rollToTheEnd(world.ports, world.turn);
    expect(world.ports.nodePools.pool("infra").status.tagProblem).toBe("503");
    expect(world.order).toEqual(["w1", "w2"]);
  });

  test("waits for the new tag of the other where executions have seen that before a poll has", async () => {
    const world = await atRest();
    world.registry.hasTwo = true;
    const toStep = { ...poolStep("roll-1"), executionStartedAt: world.ports.now().toISOString(), ticks: 0 };
    const infra = { ...toStep, pool: { name: "infra", uid: "pool-2" } };
    for (const step of [infra, toStep]) await claimPool(world.ports, step);
    change(world, "infra", { imageRef: two });
    change(world, "workers", { imageRef: `quay.io/example/myos@${digestC}` });
    expect(await stepNodes(world.ports, infra)).toMatchObject({ kind: "settled" });
    for (let ticks = 0; ticks < 3; ticks += 1) {
      await stepNodes(world.ports, { ...toStep, ticks });
      world.turn();
    }
    expect(world.ports.nodePools.node("w1").bootcNode).toMatchObject({ stagedDigest: digestC, slot: null });
    expect(await stepNodes(world.ports, toStep)).toMatchObject({
      kind: "held",
      reason: expect.stringContaining("it waits for infra, whose tag is not resolved yet"),
    });
    await rollToTheEnd(world.ports, world.turn);
    expect(world.order).toEqual(["i1", "w1", "w2"]);
  });
});
