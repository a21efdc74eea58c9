import { describe, expect, test } from "vitest";
import type { NodePool, NodePoolSpec, NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { pendingDependencies } from "../../../../functions/domain/node-pool/pool/depends-on.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { computeTargetImage } from "../../../../functions/domain/node-pool/pool/target.ts";
import { after, noon } from "../../../support/workloads.ts";
import { recover } from "../simulation/fault-events.ts";
import { runRound, runUntilIdle, writeStatus } from "../simulation/rollout.ts";
import { countHeldSlots } from "../simulation/invariants.ts";
import { createWorld, findMachine, setNode, type World, webPod } from "../simulation/world.ts";
import {
  cordoned,
  digestA,
  digestB,
  digestC,
  failing,
  imageA,
  imageB,
  imageC,
  member,
  pool,
  poolState,
  slot,
  slotted,
  staged,
  updated,
} from "../pools.ts";

const rollback: Partial<NodePoolSpec> = { onHalt: "Rollback" };
const failed: Partial<NodePoolStatus> = { failedDigests: [digestB] };
const broken = member("w1", { ...updated, ...failing, slot });

function poolWith(status: Partial<NodePoolStatus>, spec: Partial<NodePoolSpec> = {}): NodePool {
  return pool({ ...rollback, ...spec }, { status });
}

describe("the image that the nodes should run", () => {
  test.for<{ when: string; of: NodePool; image: string }>([
    { when: "nothing failed", of: poolWith({}), image: imageB },
    { when: "the target failed", of: poolWith(failed), image: imageA },
    { when: "the target failed, and onHalt is Hold", of: poolWith(failed, { onHalt: "Hold" }), image: imageB },
    { when: "another digest failed", of: poolWith({ failedDigests: [digestC] }), image: imageB },
    { when: "no image is known before", of: poolWith({ ...failed, rollbackImage: null }), image: imageB },
    { when: "the image before is the target", of: poolWith({ ...failed, rollbackImage: imageB }), image: imageB },
    { when: "the image before is no image", of: poolWith({ ...failed, rollbackImage: "no image" }), image: imageB },
    { when: "the tag resolves to a newer digest", of: poolWith(failed, { imageRef: imageC }), image: imageC },
  ])("if $when", ({ of, image }) => {
    expect(computeTargetImage(of)).toBe(image);
  });
});

describe("a halted rollout", () => {
  const status = (of: NodePool, now: Date, nodes = [broken, member("w2", staged)]) =>
    computePoolStatus(poolState(nodes, { pool: of, now }), null);

  test("is rolled back once it has been halted for minReadySeconds", () => {
    const first = status(poolWith({}), noon);
    expect(first).toMatchObject({ haltedAt: noon, failedDigests: [], targetDigest: digestB });
    const soon = status(poolWith(first), new Date(noon.getTime() + 59_000));
    expect(soon).toMatchObject({ haltedAt: noon, failedDigests: [] });
    expect(status(poolWith(first), after(1))).toMatchObject({ haltedAt: null, failedDigests: [digestB] });
  });

  test("that recovers is not rolled back", () => {
    const healthy = [member("w1", { ...updated, slot: { ...slot, bootedAt: noon } }), member("w2", staged)];
    expect(status(poolWith({ haltedAt: noon }), after(9), healthy)).toMatchObject({
      haltedAt: null,
      failedDigests: [],
    });
  });

  test("that will be rolled back keeps its execution, and starts one", () => {
    expect(assessWork(poolState([broken], { pool: poolWith({}), now: after(60) }))).toEqual({ kind: "working" });
  });

  test("the ten newest digests are kept, each once", () => {
    const digests = Array.from({ length: 10 }, (_, index) => `sha256:${index}`);
    const next = status(
      poolWith({ haltedAt: noon, failedDigests: [digestB, ...digests].slice(0, 10) }, { imageRef: imageC }),
      after(1),
      [member("w1", { ...failing, desiredImage: imageC, bootedDigest: digestC, slot })],
    );
    expect(next.failedDigests).toEqual([...digests.slice(0, 9), digestC]);
  });
});

test("a pool that went back is neither up to date nor healthy, and pools that depend on it wait", () => {
  const state = poolState([member("w1", { desiredImage: imageA })], { pool: poolWith(failed) });
  const status = computePoolStatus(state, null);
  expect(assessWork(state)).toEqual({ kind: "completed" });
  expect(status).toMatchObject({ targetDigest: digestB, deployedDigest: digestA, updateAvailable: true });
  expect(status.conditions).toEqual([
    {
      type: "UpToDate",
      status: "False",
      reason: "RolledBack",
      message: `1/1 updated; 0 pending, 0 staging, 0 staged, 0 rebooting, 0 degraded, all to the image before ${digestB}`,
    },
    {
      type: "Degraded",
      status: "True",
      reason: "RolledBack",
      message: `${digestB} halted the rollout, is rolled back, and is not tried again`,
    },
  ]);
  const dependent = pool({ dependsOn: ["workers"] }, { name: "apps", uid: "pool-2" });
  expect(pendingDependencies(dependent, [pool(rollback, { status }), dependent], [])).toEqual([
    "workers, which is not up to date",
  ]);
});

test.for([
  { when: "is not Ready", ready: false, requested: after(1), step: "approve" },
  { when: "is Ready", ready: true, requested: after(1), step: "wait" },
  { when: "is not Ready, and got its slot for this image", ready: false, requested: noon, step: "wait" },
  { when: "is not Ready, of an unknown image", ready: false, requested: null, step: "wait" },
])("a drain of terminating pods of a node that $when: $step", ({ ready, requested: requestedAt, step }) => {
  const bootc = { ...slotted, desiredImage: imageC, stagedDigest: digestC, bootedDigest: digestB, requestedAt };
  const node = member("w1", bootc, { ...cordoned, ready });
  const pods = new Map([["w1", [{ ...webPod, isBeingDeleted: true }]]]);
  const fixed = pool({ imageRef: imageC }, { status: { targetDigest: digestC, targetRef: imageC } });
  expect(planSteps(poolState([node], { pool: fixed }), pods)).toMatchObject([{ step: { kind: step } }]);
});

describe("a rollout of an image that breaks every node", () => {
  /** Runs until no work is left, and writes the status of every round as an execution does. */
  function run(world: World): readonly string[] {
    const { steps } = runUntilIdle(world, 400, writeStatus);
    return steps.filter(({ step }) => step.kind === "approve").map(({ name }) => name);
  }

  const breakOn = (world: World) => {
    for (const machine of world.machines) machine.faultyImage = { digest: digestB, fault: "not-ready" };
  };
  const images = ({ machines }: World) => machines.map(({ booted }) => booted);

  test.for([
    { maxUnavailable: 1, approved: ["w1", "w1"] },
    { maxUnavailable: 2, approved: ["w1", "w2", "w1", "w2"] },
  ])("returns with maxUnavailable $maxUnavailable, and is not tried again", ({ maxUnavailable, approved }) => {
    const spec = { ...rollback, maxUnavailable: { unit: "nodes", amount: maxUnavailable } } as const;
    const world = createWorld(5, digestA, pool(spec, { status: { rollbackImage: imageA } }));
    breakOn(world);
    expect(run(world)).toEqual(approved);
    expect(images(world)).toEqual([digestA, digestA, digestA, digestA, digestA]);
    expect([countHeldSlots(world), world.pool.status.failedDigests]).toEqual([0, [digestB]]);
    expect(run(world)).toEqual([]);
    world.pool = { ...world.pool, spec: { ...world.pool.spec, imageRef: imageC } };
    run(world);
    expect(images(world)).toEqual([digestC, digestC, digestC, digestC, digestC]);
  });

  test("returns nodes that already released their slot too", () => {
    const world = createWorld(4, digestA, pool(rollback, { status: { rollbackImage: imageA } }));
    findMachine(world, "w3").faultyImage = { digest: digestB, fault: "not-ready" };
    expect(run(world)).toEqual(["w1", "w2", "w3", "w3", "w1", "w2"]);
    expect(images(world)).toEqual([digestA, digestA, digestA, digestA]);
  });

  test("does not return to an image that passed its soak, and has killed nodes since", () => {
    const spec = { ...rollback, maxUnavailable: { unit: "nodes", amount: 3 } } as const;
    const good = { lastKnownGoodImage: imageA, rollbackImage: imageA };
    const world = createWorld(6, digestA, pool(spec, { status: good }));
    const isGood = () => world.pool.status.lastKnownGoodImage === imageB;
    while (!isGood()) {
      runRound(world);
      writeStatus(world);
    }
    const onB = world.machines.filter(({ booted }) => booted === digestB);
    expect(onB.length).toBeGreaterThan(1);
    for (const machine of onB) {
      machine.fault = "not-ready";
      setNode(machine, { ready: false, readyChangedAt: world.now });
    }
    for (let minutes = 0; minutes < 40; minutes += 1) {
      runRound(world);
      writeStatus(world);
    }
    expect(world.pool.status).toMatchObject(good);
    recover(world);
    for (const machine of world.machines) machine.faultyImage = { digest: digestC, fault: "not-ready" };
    world.pool = { ...world.pool, spec: { ...world.pool.spec, imageRef: imageC } };
    run(world);
    expect(world.pool.status.failedDigests).toEqual([digestC]);
    expect(world.pool.status.rollbackImage).toBe(imageA);
    expect(images(world)).not.toContain(digestC);
  });

  test("is tried again with onHalt: Hold, and kept once all nodes run it", () => {
    const world = createWorld(2, digestA, pool(rollback, { status: { rollbackImage: imageA } }));
    breakOn(world);
    run(world);
    for (const machine of world.machines) machine.faultyImage = null;
    world.pool = { ...world.pool, spec: { ...world.pool.spec, onHalt: "Hold" } };
    recover(world);
    run(world);
    expect(images(world)).toEqual([digestB, digestB]);
    world.pool = { ...world.pool, spec: { ...world.pool.spec, onHalt: "Rollback" } };
    expect(run(world)).toEqual([]);
    expect(images(world)).toEqual([digestB, digestB]);
  });
});
