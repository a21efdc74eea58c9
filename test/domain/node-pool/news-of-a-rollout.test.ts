import { expect, test } from "vitest";
import { newsOfStep, newsToRemember } from "../../../functions/domain/node-pool/node-news.ts";
import { poolNews } from "../../../functions/domain/node-pool/pool-news.ts";
import { workOf } from "../../../functions/domain/node-pool/settled.ts";
import { statusOf } from "../../../functions/domain/node-pool/status.ts";
import { imageA, imageB, imageC, digestA, pool } from "./pools.ts";
import { happen } from "./simulation/happenings.ts";
import { round } from "./simulation/rollout.ts";
import { lookAt, machineOf, setBootcNode, type World, worldOf } from "./simulation/world.ts";

/** What is told of a pool and of each node, by name, as the handlers tell it, until nothing moves any more. */
function tellRollout(world: World, everyRound: (count: number) => void = () => {}): Record<string, string[]> {
  const told: Record<string, string[]> = {};
  const tell = (name: string, reason: string) => (told[name] ??= []).push(reason);
  for (let count = 0; count < 100; count += 1) {
    everyRound(count);
    const before = new Map(world.machines.map(({ name, node, bootcNode }) => [name, { name, node, bootcNode }]));
    for (const { name, step } of round(world)) {
      const { bootcNode = null } = before.get(name) ?? {};
      const news = newsOfStep({ name, node: null, bootcNode }, step, "e-1");
      if (news !== null) tell(name, news.reason);
    }
    const tick = lookAt(world);
    for (const { node, news, told: marks } of newsToRemember(tick, "e-1")) {
      for (const { reason } of news) tell(node.name, reason);
      setBootcNode(machineOf(world, node.name), { told: marks });
    }
    const status = statusOf(tick, null);
    for (const { reason } of poolNews(world.pool, status, "e-1")) tell("pool", reason);
    world.pool = { ...world.pool, status };
    if (workOf(tick).kind !== "working") return told;
  }
  throw new Error("it never ends");
}

const unseen = { targetDigest: null, targetRef: null, deployedDigest: null, conditions: [] };
const all = ["Staging", "Staged", "Rebooting", "Idle"];

test("each thing is told once, in the order in which it happens", () => {
  const world = worldOf(3, digestA, pool({ imageRef: imageB }, { status: unseen }));
  expect(tellRollout(world)).toEqual({ w1: all, w2: all, w3: all, pool: ["RolloutStarted", "RolloutCompleted"] });
  happen(world, { kind: "image", ref: imageC });
  const rollout = ["ImageUpdateAvailable", "RolloutStarted", "RolloutCompleted"];
  expect(tellRollout(world)).toEqual({ w1: all, w2: all, w3: all, pool: rollout });
});

test("a drain that takes long is told of once, and each time that it begins anew", () => {
  const world = worldOf(1, digestA, pool({ imageRef: imageB, drainTimeoutSeconds: 600 }, { status: unseen }));
  const told = tellRollout(world, (count) => {
    if (count === 0 || count === 28) happen(world, { kind: "budget", isBlocked: count === 0 });
  });
  const drain = ["DrainTakingTooLong", "DrainFailed", "DrainFailed"];
  expect(told["w1"]).toEqual(["Staging", "Staged", ...drain, "Rebooting", "Idle"]);
  expect(told["pool"]).toEqual(["RolloutStarted", "NodeDegraded", "Healthy", "RolloutCompleted"]);
});

test("a rollout that is called off stages and reboots nothing where nothing had rebooted", () => {
  const world = worldOf(2, digestA, pool({ imageRef: imageB, maxUnavailable: { unit: "nodes", amount: 0 } }));
  const staged = ["Staging", "Staged"];
  expect(tellRollout(world)).toMatchObject({ w1: staged, w2: staged });
  happen(world, { kind: "image", ref: imageA });
  expect(tellRollout(world)).toEqual({ pool: ["RolloutCompleted"] });
});
