import { expect, test } from "vitest";
import { digestA, digestB, imageA, imageB } from "../../domain/node-pool/pools.ts";
import { createPoolFixture, newPool, type PoolFixture } from "./node-pool-fixtures.ts";
import { runUntilComplete } from "./run-node-pool-rollout.ts";

/** Rolls image A out to three nodes, and then requests image B. */
async function startRollout(freeze: () => string | null): Promise<PoolFixture> {
  const fixture = createPoolFixture({ pool: newPool({ imageRef: imageA }), freeze });
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, stepAgents);
  const workers = ports.nodePools.pool("workers");
  ports.nodePools.putPool({ ...workers, spec: { ...workers.spec, imageRef: imageB }, generation: 2 });
  return fixture;
}

function bootedNodes({ ports: { nodePools }, names }: PoolFixture, digest: string): readonly string[] {
  return names.filter((name) => nodePools.node(name).bootcNode?.bootedDigest === digest);
}

const messageOf = ({ ports: { nodePools } }: PoolFixture) =>
  nodePools.pool("workers").status.conditions.find(({ type }) => type === "UpToDate")?.message;

test.for([
  { text: "- reason: incident 7\n  by: anna", message: 'updates are frozen: incident 7, by anna; run "pawl unfreeze"' },
  { text: "- {", message: "whether updates are frozen is not known: ConfigMap pawl-freeze: .*the operator of Pawl" },
])("no node begins during a freeze, and no execution runs: $text", async ({ text, message }) => {
  let freeze: string | null = null;
  const fixture = await startRollout(() => freeze);
  const { ports, stepAgents } = fixture;
  freeze = text;
  const started = ports.poolExecutions.started.length;
  const writes = ports.nodePools.writes.length;
  await runUntilComplete(ports, stepAgents);
  await runUntilComplete(ports, stepAgents);
  expect(ports.nodePools.writes.slice(writes)).toEqual([]);
  expect(ports.poolExecutions.started).toHaveLength(started);
  expect(messageOf(fixture)).toMatch(new RegExp(`waits for freeze: ${message}`));
  freeze = null;
  await runUntilComplete(ports, stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
  expect(ports.nodePools.pool("workers").status.gates).toEqual([]);
});

test("a freeze of some namespaces is for no node pool", async () => {
  const fixture = await startRollout(() => "- reason: incident 7\n  namespaces: [shop]");
  await runUntilComplete(fixture.ports, fixture.stepAgents);
  expect(bootedNodes(fixture, digestB)).toEqual(fixture.names);
});

test("a freeze in a rollout lets the node in a slot finish, and no other begins", async () => {
  let freeze: string | null = null;
  const fixture = await startRollout(() => freeze);
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, () => {
    if (ports.nodePools.node("w1").bootcNode?.slot) freeze = "- reason: incident 7";
    stepAgents();
  });
  expect(bootedNodes(fixture, digestB)).toEqual(["w1"]);
  expect(fixture.names.filter((name) => ports.nodePools.node(name).node?.unschedulable)).toEqual([]);
});

test("a rollback does not wait for a freeze", async () => {
  let freeze: string | null = null;
  const fixture = await startRollout(() => freeze);
  const { ports, stepAgents } = fixture;
  await runUntilComplete(ports, () => {
    if (bootedNodes(fixture, digestB).length > 0) freeze = "- reason: incident 7";
    stepAgents();
  });
  expect(bootedNodes(fixture, digestB)).toEqual(["w1"]);
  await ports.nodePools.request(ports.nodePools.pool("workers"), "abort t-1");
  await runUntilComplete(ports, stepAgents);
  expect(bootedNodes(fixture, digestA)).toEqual(fixture.names);
});
