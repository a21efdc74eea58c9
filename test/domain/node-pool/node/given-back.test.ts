import { expect, test } from "vitest";
import {
  formatGivenBack,
  isDrainBackingOff,
  nextDrainAt,
  parseGivenBack,
} from "../../../../functions/domain/node-pool/node/given-back.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computeWaitSeconds } from "../../../../functions/domain/node-pool/step/wait-time.ts";
import { after, noon } from "../../../support/workloads.ts";
import { cordoned, digestA, digestB, member, pool, poolState, slotted, staged } from "../pools.ts";
import { runRound, runUntilIdle, writeStatus } from "../simulation/rollout.ts";
import { createWorld, findMachine, observe, type World } from "../simulation/world.ts";

test.for([
  { count: 1, hours: 1 },
  { count: 2, hours: 2 },
  { count: 3, hours: 4 },
  { count: 4, hours: 8 },
  { count: 2000, hours: 8 },
])("after $count drains the next begins $hours h later", ({ count, hours }) => {
  const givenBack = { count, at: noon };
  expect(nextDrainAt(givenBack)).toEqual(after(hours * 60));
  expect(isDrainBackingOff(givenBack, after(hours * 60 - 1))).toBe(true);
  expect(isDrainBackingOff(givenBack, after(hours * 60))).toBe(false);
  expect(parseGivenBack(formatGivenBack(givenBack))).toEqual(givenBack);
});

test.for(["", "2", "0 2026-11-20T12:00:00Z", "two 2026-11-20T12:00:00Z", "1 yesterday", "12345 2026-11-20T12:00:00Z"])(
  "%o is no record of drains",
  (text) => {
    expect(parseGivenBack(text)).toBeNull();
  },
);

/** Nodes that give their slots back, and a PodDisruptionBudget that blocks the drains of all but the last. */
function blockedWorld(blocked = 1): World {
  const world = createWorld(blocked + 1, digestA, pool({ onDrainTimeout: "GiveBack" }));
  for (let index = 1; index <= blocked; index += 1) findMachine(world, `w${index}`).isEvictionBlocked = true;
  return world;
}

const condition = (world: World) =>
  computePoolStatus(observe(world), null).conditions.find(({ type }) => type === "Degraded");
const held = ({ machines }: World) => machines.filter(({ bootcNode }) => bootcNode?.slot).map(({ name }) => name);

test("a drain that is given back lets the others continue, is reported, and is tried again later", () => {
  const world = blockedWorld();
  const { poolState: state, steps } = runUntilIdle(world, 100, writeStatus);
  expect(assessWork(state).kind).toBe("held");
  expect(world.machines.map(({ booted }) => booted)).toEqual([digestA, digestB]);
  expect(held(world)).toEqual([]);
  expect(findMachine(world, "w1").node).toMatchObject({ unschedulable: false, cordonedByPool: null, protection: null });
  expect(steps.filter(({ step }) => step.kind === "release-slot").map(({ name }) => name)).toEqual(["w1", "w2"]);
  const reason = "not drained in time once, and gave its slot back; the next drain begins after";
  expect(condition(world)).toMatchObject({ reason: "NodeDegraded", message: expect.stringContaining(`w1 (${reason}`) });
  world.now = new Date(world.now.getTime() + 3_600_000);
  expect(assessWork(observe(world)).kind).toBe("working");
  runUntilIdle(world, 100, writeStatus);
  expect(findMachine(world, "w1").bootcNode?.givenBack?.count).toBe(2);
  expect(condition(world)?.message).toContain("w1 (not drained in time 2 times");
  findMachine(world, "w1").isEvictionBlocked = false;
  world.now = new Date(world.now.getTime() + 2 * 3_600_000);
  runUntilIdle(world, 100, writeStatus);
  expect(world.machines.map(({ booted }) => booted)).toEqual([digestB, digestB]);
  expect(findMachine(world, "w1").bootcNode?.givenBack).toBeNull();
  expect(condition(world)?.reason).toBe("Healthy");
});

test.for([
  { when: "the pool only reports", action: "Report" as const, ready: true, kind: "wait" },
  { when: "it has no right to", action: "Force" as const, ready: true, kind: "wait" },
  { when: "its Node is not Ready", action: "GiveBack" as const, ready: false, kind: "wait" },
  { when: "nothing speaks against it", action: "GiveBack" as const, ready: true, kind: "uncordon" },
])("the next step of a drain that takes too long is $kind, if $when", ({ action, ready, kind }) => {
  const node = member("w1", slotted, { ...cordoned, ready, readyChangedAt: after(14) });
  const state = poolState([node], { pool: pool({ onDrainTimeout: action }), now: after(16) });
  expect(planSteps(state).map(({ step }) => step.kind)).toEqual([kind]);
});

test.for([1, 4, 9])(
  "the drains of %i nodes that give their slots back cost at most 60 transitions an hour after their first",
  (count) => {
    const world = blockedWorld(count);
    runUntilIdle(world, 1000, writeStatus);
    const start = world.now.getTime();
    const transitionsPerRound = 6;
    /** The states before the first round of an execution, and after its last. */
    const transitionsPerExecution = 6;
    const perHour = new Map<number, number>();
    const hoursOf = (time: number) => Math.floor((time - start) / 3_600_000);
    let isRunning = false;
    while (hoursOf(world.now.getTime()) < 48) {
      const isWorking = assessWork(observe(world)).kind === "working";
      const hour = hoursOf(world.now.getTime());
      const cost = (isWorking ? transitionsPerRound : 0) + (isWorking && !isRunning ? transitionsPerExecution : 0);
      perHour.set(hour, (perHour.get(hour) ?? 0) + cost);
      isRunning = isWorking;
      // One round of the machine executes all steps that are due.
      const now = world.now;
      for (let steps = 0; steps < (isWorking ? 8 : 0); steps += 1) {
        runRound(world);
        world.now = now;
      }
      const state = observe(world);
      const waitSeconds = isWorking ? computeWaitSeconds(planSteps(state), state) : 300;
      world.now = new Date(now.getTime() + waitSeconds * 1000);
    }
    const drains = world.machines.map(({ bootcNode }) => bootcNode?.givenBack?.count ?? 0);
    // Each has its turn, and the one that runs the image has none.
    expect(Math.min(...drains.slice(0, count))).toBeGreaterThan(count === 1 ? 4 : 2);
    expect(drains.at(-1)).toBe(0);
    expect(Math.max(...perHour.values())).toBeLessThanOrEqual(60);
  },
);

test("of nodes that gave their slots back in the same second, the first by name is drained again", () => {
  const again = { ...staged, givenBack: { count: 1, at: noon } };
  const state = poolState([member("w2", again), member("w1", again)], { now: after(61) });
  expect([...state.slotRecipients]).toEqual(["w1"]);
});

test.for([
  { when: "its next drain is due", minutes: 61, kind: "working" },
  { when: "it waits before its next drain", minutes: 59, kind: "held" },
])(
  "while alerts fire, the execution of a node that gave its slot back is $kind if $when, as for a poll",
  ({ minutes, kind }) => {
    const again = member("w1", { ...staged, givenBack: { count: 1, at: noon } });
    const now = after(minutes);
    // A poll queries no alerts.
    const [poll, execution] = [null, "the end of alerts"].map((alerts) => poolState([again], { now, alerts }));
    expect([poll, execution].map((state) => state && assessWork(state).kind)).toEqual([kind, kind]);
    expect(execution?.slotRecipients.size).toBe(0);
  },
);
