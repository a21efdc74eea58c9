import { describe, expect, test } from "vitest";
import { claimPool } from "../../../../functions/handlers/claim-pool.ts";
import { reconcileNodes } from "../../../../functions/handlers/reconcile-nodes.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import type { NodePool } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { digestB, digestC, unmanagedNode } from "../../../domain/node-pool/pools.ts";
import { runUntilComplete } from "../../../handlers/node-pool/run-node-pool-rollout.ts";
import { newPool, poolStepInput } from "../../../handlers/node-pool/node-pool-fixtures.ts";
import { stepAgents } from "../../../support/fakes/fake-agents.ts";
import { fakePorts } from "../../../support/fake-ports.ts";

const one = "quay.io/example/myos:v1";
const two = "quay.io/example/myos:v2";
const names = ["i1", "w1", "w2"];

/** Creates `infra`, and `workers`, which depends on it. Both run v1, and v2 is missing until it is pushed. */
async function rolledOutV1() {
  const registry = { hasV2: false, isDown: false };
  const infra = newPool({ imageRef: one, nodeSelector: { matchLabels: { role: "infra" } } });
  const ports = fakePorts({
    digests(image) {
      if (registry.isDown || (image === two && !registry.hasV2)) return new Error("503");
      return [image === two ? digestC : digestB];
    },
    nodePools: {
      pools: [{ ...infra, name: "infra", uid: "pool-2" }, newPool({ imageRef: one, dependsOn: ["infra"] })],
      nodes: [
        unmanagedNode("i1", { uid: "i1-0", labels: { role: "infra" } }),
        unmanagedNode("w1"),
        unmanagedNode("w2"),
      ],
    },
  });
  const booted = () => names.map((name) => ports.nodePools.node(name).bootcNode?.bootedDigest);
  const order: string[] = [];
  const turn = () => {
    stepAgents(ports.nodePools, names);
    for (const name of names) {
      const { bootcNode } = ports.nodePools.node(name);
      if (bootcNode?.bootedDigest === digestC && !order.includes(name)) order.push(name);
    }
  };
  await runUntilComplete(ports, turn);
  expect(booted()).toEqual([digestB, digestB, digestB]);
  return { ports, booted, order, turn, registry };
}

type World = Awaited<ReturnType<typeof rolledOutV1>>;

function change({ ports: { nodePools } }: World, name: string, spec: Partial<NodePool["spec"]>): void {
  const pool = nodePools.pool(name);
  nodePools.putPool({ ...pool, spec: { ...pool.spec, ...spec }, generation: pool.generation + 1 });
}

describe("a pool that depends on another", () => {
  test("waits while the new tag of the other cannot be resolved, and continues once it is rolled out", async () => {
    const fixture = await rolledOutV1();
    change(fixture, "infra", { imageRef: two });
    change(fixture, "workers", { imageRef: `quay.io/example/myos@${digestC}` });
    await runUntilComplete(fixture.ports, fixture.turn);
    expect(fixture.booted()).toEqual([digestB, digestB, digestB]);
    expect(fixture.ports.nodePools.node("w1").bootcNode).toMatchObject({ stagedDigest: digestC, slot: null });
    expect((await pollCluster(fixture.ports)).pools).toMatchObject({ started: 0, held: 1 });
    fixture.registry.hasV2 = true;
    fixture.ports.pass(300);
    await runUntilComplete(fixture.ports, fixture.turn);
    expect(fixture.booted()).toEqual([digestC, digestC, digestC]);
    expect(fixture.order[0]).toBe("i1");
  });

  test("continues while the rolled-out tag of the other cannot be resolved again", async () => {
    const fixture = await rolledOutV1();
    fixture.registry.isDown = true;
    fixture.ports.pass(300);
    change(fixture, "workers", { imageRef: `quay.io/example/myos@${digestC}` });
    await runUntilComplete(fixture.ports, fixture.turn);
    expect(fixture.ports.nodePools.pool("infra").status.tagProblem).toBe("503");
    expect(fixture.order).toEqual(["w1", "w2"]);
  });

  test("waits for the new tag of the other if an execution sees the edit before a poll", async () => {
    const fixture = await rolledOutV1();
    fixture.registry.hasV2 = true;
    const toStep = { ...poolStepInput("roll-1"), executionStartedAt: fixture.ports.now().toISOString(), rounds: 0 };
    const infra = { ...toStep, pool: { name: "infra", uid: "pool-2" } };
    for (const step of [infra, toStep]) await claimPool(fixture.ports, step);
    change(fixture, "infra", { imageRef: two });
    change(fixture, "workers", { imageRef: `quay.io/example/myos@${digestC}` });
    expect(await reconcileNodes(fixture.ports, infra)).toMatchObject({ kind: "completed" });
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await reconcileNodes(fixture.ports, { ...toStep, rounds });
      fixture.turn();
    }
    expect(fixture.ports.nodePools.node("w1").bootcNode).toMatchObject({ stagedDigest: digestC, slot: null });
    expect(await reconcileNodes(fixture.ports, toStep)).toMatchObject({
      kind: "held",
      reason: expect.stringContaining("it waits for infra, whose tag is not resolved yet"),
    });
    await runUntilComplete(fixture.ports, fixture.turn);
    expect(fixture.order).toEqual(["i1", "w1", "w2"]);
  });
});
