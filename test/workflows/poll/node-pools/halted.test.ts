import { expect, test } from "vitest";
import { reconcileNodes } from "../../../../functions/handlers/reconcile-nodes.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { digestB } from "../../../domain/node-pool/pools.ts";
import { runUntilComplete } from "../../../handlers/node-pool/run-node-pool-rollout.ts";
import {
  newPool,
  poolStepInput,
  type PoolFixture,
  createPoolFixture,
} from "../../../handlers/node-pool/node-pool-fixtures.ts";

const maxUnavailable2 = newPool({ maxUnavailable: { unit: "nodes", amount: 2 } });

function setReady({ ports }: PoolFixture, name: string, ready: boolean): void {
  const at = ports.nodePools.node(name);
  if (at.node !== null && at.node.ready !== ready) ports.nodePools.putNode({ ...at, node: { ...at.node, ready } });
}

/** Runs a rollout of four nodes until no poll starts more; the first two reboot and do not become Ready. */
async function halted(): Promise<PoolFixture> {
  const fixture = createPoolFixture({ pool: maxUnavailable2, count: 4 });
  await runUntilComplete(fixture.ports, () => {
    fixture.stepAgents();
    for (const name of ["w1", "w2"]) {
      if (fixture.ports.nodePools.node(name).bootcNode?.bootedDigest === digestB) setReady(fixture, name, false);
    }
  });
  return fixture;
}

function reasonOf({ ports }: PoolFixture) {
  return ports.nodePools.pool("workers").status.conditions.find(({ type }) => type === "Degraded")?.reason;
}

test("a rollout that is halted by nodes that are not Ready ends, and no poll starts it again", async () => {
  const fixture = await halted();
  const { started } = fixture.ports.poolExecutions;
  const before = started.length;
  expect(reasonOf(fixture)).toBe("RolloutHalted");
  expect(fixture.ports.nodePools.pool("workers").execution).toBeNull();
  for (const _ of ["one poll", "the next"]) {
    fixture.ports.pass(300);
    expect((await pollCluster(fixture.ports)).pools).toMatchObject({ started: 0, adopted: 0, recorded: 0, failed: [] });
  }
  expect(started.length).toBe(before);
  expect(before).toBeLessThan(4);
});

test("its execution ends as halted", async () => {
  const fixture = await halted();
  fixture.ports.nodePools.putPool({ ...fixture.ports.nodePools.pool("workers"), execution: "roll-9" });
  const input = { ...poolStepInput("roll-9"), executionStartedAt: fixture.ports.now().toISOString(), rounds: 0 };
  expect(await reconcileNodes(fixture.ports, input)).toMatchObject({
    kind: "halted",
    reason: expect.stringContaining("not back on its new image and Ready after 900 s"),
  });
});

test("the next poll resumes it once a node is Ready", async () => {
  const fixture = await halted();
  fixture.ports.pass(300);
  setReady(fixture, "w1", true);
  expect((await pollCluster(fixture.ports)).pools).toMatchObject({ started: 1 });
  setReady(fixture, "w2", true);
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(reasonOf(fixture)).toBe("Healthy");
  expect(fixture.ports.nodePools.pool("workers").status).toMatchObject({ nodeCount: 4, updatedCount: 4 });
});
