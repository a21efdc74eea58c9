import { expect, test } from "vitest";
import type { NodePoolSpec } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseSpec } from "../../../functions/domain/node-pool/pool/spec.ts";
import { digestA, digestB, imageA, imageB } from "../../domain/node-pool/pools.ts";
import { createPoolFixture, newPool, type PoolFixture } from "./node-pool-fixtures.ts";
import { runUntilComplete } from "./run-node-pool-rollout.ts";

const { steps } = parseSpec({ steps: [{ nodes: 1, soak: "10m" }, { pause: {} }, { nodes: 1 }] }).spec;

/** Rolls image A out to four nodes, then image B in steps, until the rollout waits. */
async function startRollout(rollout: Partial<NodePoolSpec> = {}): Promise<PoolFixture> {
  const fixture = createPoolFixture({ count: 4, pool: newPool({ imageRef: imageA }) });
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, stepAgents);
  const workers = ports.nodePools.pool("workers");
  ports.nodePools.putPool({
    ...workers,
    spec: { ...workers.spec, imageRef: imageB, steps, ...rollout },
    generation: 2,
  });
  await rollOut(fixture);
  return fixture;
}

/** Polls until nothing changes for longer than any soak. */
async function rollOut({ ports, stepAgents }: PoolFixture): Promise<void> {
  for (let minutes = 0; minutes < 15; minutes += 1) {
    await runUntilComplete(ports, stepAgents);
    ports.pass(60);
  }
}

function bootedNodes({ ports: { nodePools }, names }: PoolFixture, digest: string): readonly string[] {
  return names.filter((name) => nodePools.node(name).bootcNode?.bootedDigest === digest);
}

const ask = ({ ports: { nodePools } }: PoolFixture, text: string) => nodePools.request(nodePools.pool("workers"), text);

test("a rollout updates one node, waits for a person, and continues when it is promoted", async () => {
  const fixture = await startRollout();
  const { ports } = fixture;
  expect(bootedNodes(fixture, digestB)).toEqual(["w1"]);
  expect(ports.nodePools.pool("workers").status.progress).toMatchObject({ digest: digestB, step: 2 });
  const started = ports.poolExecutions.started.length;
  await rollOut(fixture);
  expect(ports.poolExecutions.started).toHaveLength(started);
  expect(ports.publishedPoolEvents.filter(({ type }) => type === "Node Pool Rollout Paused")).toHaveLength(1);
  await ask(fixture, "promote t-1");
  await rollOut(fixture);
  expect(bootedNodes(fixture, digestB)).toEqual(["w1", "w2", "w3", "w4"]);
  const { deployedDigest, conditions } = ports.nodePools.pool("workers").status;
  expect(deployedDigest).toBe(digestB);
  expect(conditions).toContainEqual(expect.objectContaining({ message: "t-1 continues after step 2/3" }));
});

test("an aborted rollout goes back, and is tried again only on request", async () => {
  const fixture = await startRollout();
  await ask(fixture, "abort t-1");
  await rollOut(fixture);
  expect(bootedNodes(fixture, digestA)).toEqual(fixture.names);
  await ask(fixture, "promote full t-2");
  await rollOut(fixture);
  expect(bootedNodes(fixture, digestA)).toEqual(fixture.names);
  await ask(fixture, "retry t-3");
  await rollOut(fixture);
  expect(bootedNodes(fixture, digestB)).toEqual(["w1"]);
});

const allSoak = parseSpec({ steps: [{ nodes: 4, soak: "2h" }] }).spec.steps;

test("the soak of the last step ends only if its nodes stayed Ready, which a poll reads", async () => {
  const fixture = await startRollout({ steps: allSoak });
  const { ports } = fixture;
  const setReady = (ready: boolean) => {
    const { node, ...rest } = ports.nodePools.node("w1");
    ports.nodePools.putNode({ ...rest, node: node && { ...node, ready, readyChangedAt: ports.now() } });
  };
  const stepsAfter = async (hours: number) => {
    ports.pass(hours * 3600);
    await runUntilComplete(ports, fixture.stepAgents);
    return ports.nodePools.pool("workers").status.progress?.step;
  };
  setReady(false);
  expect(await stepsAfter(3)).toBe(1);
  setReady(true);
  expect(await stepsAfter(1)).toBe(1);
  setReady(false);
  setReady(true);
  expect(await stepsAfter(1.9)).toBe(1);
  expect(await stepsAfter(0.2)).not.toBe(1);
});

test.for([
  { onHalt: "Hold", message: "Unhealthy nodes in reboot slots: w1 (SoakFailed)", booted: ["w1"] },
  { onHalt: "Rollback", message: `${digestB} halted the rollout`, booted: ["w1"] },
  {
    onHalt: "Hold",
    steps: allSoak,
    message: "w1 (SoakFailed)",
    booted: ["w1", "w2", "w3", "w4"],
  },
] as const)("with $onHalt, a node that dies in the soak of its step is reported by a poll: $message", async (given) => {
  const { message, booted, ...rollout } = given;
  const fixture = await startRollout(rollout);
  const { ports, names } = fixture;
  expect(bootedNodes(fixture, digestB)).toEqual(booted);
  const dead = { ready: false, readyChangedAt: ports.now() };
  const stepAgents = () => {
    fixture.stepAgents();
    const w1 = ports.nodePools.node("w1");
    ports.nodePools.putNode({ ...w1, node: w1.node && { ...w1.node, ...dead } });
  };
  stepAgents();
  await rollOut({ ...fixture, stepAgents });
  await rollOut({ ...fixture, stepAgents });
  const { conditions, failedDigests } = ports.nodePools.pool("workers").status;
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: "Degraded", status: "True", message: expect.stringContaining(message) }),
  );
  expect(failedDigests).toEqual(given.onHalt === "Rollback" ? [digestB] : []);
  expect(ports.nodePools.node("w1").bootcNode?.desiredImage).toBe(given.onHalt === "Rollback" ? imageA : imageB);
  expect(names.filter((name) => ports.nodePools.node(name).bootcNode?.slot)).toEqual([]);
});
