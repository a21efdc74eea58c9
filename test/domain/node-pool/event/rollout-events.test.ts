import { expect, test } from "vitest";
import {
  stepEvent,
  pendingNodeEvents,
  recordEmitted,
} from "../../../../functions/domain/node-pool/event/node-events.ts";
import { poolEvents } from "../../../../functions/domain/node-pool/event/pool-events.ts";
import { assessWork } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { imageA, imageB, imageC, digestA, pool } from "../pools.ts";
import { applyEvent } from "../simulation/fault-events.ts";
import { runRound } from "../simulation/rollout.ts";
import { observe, findMachine, setBootcNode, type World, createWorld } from "../simulation/world.ts";

/** Runs rounds until no work is left. Returns the Event reasons of the pool and of each node, by name. */
function collectEventReasons(world: World, everyRound: (count: number) => void = () => {}): Record<string, string[]> {
  const emitted: Record<string, string[]> = {};
  const record = (name: string, reason: string) => (emitted[name] ??= []).push(reason);
  for (let count = 0; count < 100; count += 1) {
    everyRound(count);
    const before = new Map(world.machines.map(({ name, node, bootcNode }) => [name, { name, node, bootcNode }]));
    for (const { name, step } of runRound(world)) {
      const { bootcNode = null } = before.get(name) ?? {};
      const event = stepEvent({ name, node: null, bootcNode }, step, "e-1");
      if (event !== null) record(name, event.reason);
    }
    const poolState = observe(world);
    for (const { node, events } of pendingNodeEvents(poolState, "e-1")) {
      for (const { reason } of events) record(node.name, reason);
      const keys = events.map(({ key }) => key);
      const emittedEvents = recordEmitted(node.bootcNode.emittedEvents, keys);
      setBootcNode(findMachine(world, node.name), { emittedEvents });
    }
    const status = computePoolStatus(poolState, null);
    for (const { reason } of poolEvents(world.pool, status, "e-1")) record("pool", reason);
    world.pool = { ...world.pool, status };
    if (assessWork(poolState).kind !== "working") return emitted;
  }
  throw new Error("the rollout does not complete");
}

const noStatus = { targetDigest: null, targetRef: null, deployedDigest: null, conditions: [] };
const all = ["Staging", "Staged", "Rebooting", "Idle"];

test("each Event is emitted once, in order", () => {
  const world = createWorld(3, digestA, pool({ imageRef: imageB }, { status: noStatus }));
  expect(collectEventReasons(world)).toEqual({
    w1: all,
    w2: all,
    w3: all,
    pool: ["RolloutStarted", "RolloutCompleted"],
  });
  applyEvent(world, { kind: "image", ref: imageC });
  const rollout = ["ImageUpdateAvailable", "RolloutStarted", "RolloutCompleted"];
  expect(collectEventReasons(world)).toEqual({ w1: all, w2: all, w3: all, pool: rollout });
});

test("a slow drain is reported once, and at each restart", () => {
  const world = createWorld(1, digestA, pool({ imageRef: imageB, drainTimeoutSeconds: 600 }, { status: noStatus }));
  const emitted = collectEventReasons(world, (count) => {
    if (count === 0 || count === 28) applyEvent(world, { kind: "budget", isBlocked: count === 0 });
  });
  const drain = ["DrainTakingTooLong", "DrainFailed", "DrainFailed"];
  expect(emitted["w1"]).toEqual(["Staging", "Staged", ...drain, "Rebooting", "Idle"]);
  expect(emitted["pool"]).toEqual(["RolloutStarted", "NodeDegraded", "Healthy", "RolloutCompleted"]);
});

test("a rollout that is cancelled before any reboot stages and reboots nothing", () => {
  const world = createWorld(2, digestA, pool({ imageRef: imageB, maxUnavailable: { unit: "nodes", amount: 0 } }));
  const staged = ["Staging", "Staged"];
  expect(collectEventReasons(world)).toMatchObject({ w1: staged, w2: staged });
  applyEvent(world, { kind: "image", ref: imageA });
  expect(collectEventReasons(world)).toEqual({ pool: ["RolloutCompleted"] });
});
