import { expect, test } from "vitest";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { digestA, digestB, imageA, imageB, pool } from "../pools.ts";
import { breakImage } from "../simulation/fault-events.ts";
import { runRound, writeStatus } from "../simulation/rollout.ts";
import { createWorld, setBootcNode, setNode, type World } from "../simulation/world.ts";

const nodeCount = 1000;
const firstWave = 100;
const zone = "topology.kubernetes.io/zone";
const zones = ["a", "b", "c"];

/** Runs image A in three zones. Every twentieth node never stages, never reports or is not Ready. */
function createZones(spec: Partial<NodePoolSpec>): World {
  const world = createWorld(nodeCount, digestA, pool({ ...spec, onHalt: "Rollback", imageRef: imageA }));
  for (const [index, machine] of world.machines.entries()) {
    const labels = { ...machine.node?.labels, [zone]: zones[index % zones.length] ?? "" };
    setNode(machine, { labels });
    if (index % 20 === 0) machine.fault = (["stage-fails", "silent", "old-image"] as const)[(index / 20) % 3] ?? null;
  }
  for (let round = 0; round < 3; round += 1) runRound(world);
  writeStatus(world);
  return world;
}

/** A power failure: what is staged boots, although Pawl has not approved it. */
function powerCycle({ machines }: World, indexes: readonly number[]): void {
  for (const index of indexes) {
    const machine = machines[index];
    const staged = machine?.bootcNode?.stagedDigest ?? null;
    if (machine === undefined || staged === null || machine.fault !== null) continue;
    machine.booted = staged;
    setBootcNode(machine, { bootedDigest: staged, stagedDigest: null, idle: { activity: null } });
  }
}

/** Expects that nodes of one zone at most hold slots. */
function expectOneZone({ machines }: World): void {
  const zonesWithSlots = machines.flatMap(({ node, bootcNode }) => (bootcNode?.slot ? [node?.labels[zone]] : []));
  expect(new Set(zonesWithSlots).size).toBeLessThanOrEqual(1);
}

/** Rolls out an image that stops every node, for three hours. Returns the nodes that have ever run it. */
function rollOutBadImage(world: World): ReadonlySet<string> {
  const harmed = new Set<string>();
  breakImage(world, digestB, "not-ready");
  world.pool = { ...world.pool, spec: { ...world.pool.spec, imageRef: imageB } };
  for (let minute = 0; minute < 180; minute += 1) {
    runRound(world);
    writeStatus(world);
    // The last nodes by name, which are not in the first wave.
    if (minute === 5) powerCycle(world, [981, 982, 983, 984, 985, 986, 987, 988, 989, 991]);
    for (const { name, booted } of world.machines) if (booted === digestB) harmed.add(name);
    expectOneZone(world);
  }
  return harmed;
}

const tenPercent = {
  topologyKey: zone,
  maxUnavailable: { unit: "percent", amount: 10 },
  haltThreshold: { unit: "nodes", amount: 10 },
} as const;

const { steps } = parseSpec({
  steps: [
    { nodes: 5, soak: "1h" },
    { nodes: "10%", soak: "1h" },
  ],
}).spec;

test.for<{ when: string; spec: Partial<NodePoolSpec>; atMost: number }>([
  { when: "stageAhead all", spec: { stageAhead: null }, atMost: firstWave + 10 },
  { when: "stageAhead 1", spec: { stageAhead: 1 }, atMost: firstWave },
  { when: "stageAhead 1 and a first step of 5 nodes", spec: { stageAhead: 1, steps }, atMost: 5 },
])(
  "of 1,000 nodes in 3 zones, 5 % of them faulty, a bad image harms at most $atMost with $when, also if 10 lose power",
  { timeout: 120_000 },
  ({ spec, atMost }) => {
    const world = createZones({ ...tenPercent, ...spec });
    const harmed = rollOutBadImage(world);
    expect(harmed.size).toBeGreaterThan(0);
    expect(harmed.size).toBeLessThanOrEqual(atMost);
    expect(world.pool.status.failedDigests).toEqual([digestB]);
    const { machines, pool: rolledBack } = world;
    expect(machines.filter(({ bootcNode }) => bootcNode?.desiredImage === imageB).map(({ name }) => name)).toEqual([]);
    // No agent is known to remove what is staged, so the pool stays degraded, and counts it.
    const left = machines.filter(({ bootcNode }) => bootcNode?.stagedDigest === digestB).length;
    const message =
      left === 0 ? "not tried again" : `${left} ${left === 1 ? "node has" : "nodes have"} a failed image staged`;
    const degraded = { status: "True", reason: "RolledBack", message: expect.stringContaining(message) };
    expect(rolledBack.status.conditions).toContainEqual({ type: "Degraded", ...degraded });
  },
);
