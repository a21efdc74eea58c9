import { describe, expect, test } from "vitest";
import { digestA, digestB, imageB } from "../domain/node-pool/pools.ts";
import type { Moment } from "../support/fake-cluster.ts";
import { killedAt } from "../support/fake-ports.ts";
import { type CommandedWorld, commandedWorld, instanceOfNode } from "./commanded-world.ts";
import { rollToTheEnd } from "./pool-by-hand.ts";

const names = ["w1", "w2", "w3"];

function booted({ ports }: CommandedWorld) {
  return names.map((name) => ports.nodePools.node(name).bootcNode?.bootedDigest);
}

function actionsOf({ hosts }: CommandedWorld, name: string) {
  return hosts.sent.filter(({ instance }) => instance === instanceOfNode(name)).map(({ action }) => action);
}

function expectSettled(world: CommandedWorld) {
  expect(booted(world)).toEqual([digestB, digestB, digestB]);
  for (const name of names) {
    const { node, bootcNode } = world.ports.nodePools.node(name);
    expect(bootcNode).toMatchObject({ slot: null, error: null, idle: { activity: null }, command: null });
    expect(node).toMatchObject({ unschedulable: false, ready: true });
  }
}

test("a pool without daemons rolls out, each node by as few commands as its daemon would run", async () => {
  const world = commandedWorld();
  await rollToTheEnd(world.ports, world.turn);
  expectSettled(world);
  for (const name of names) {
    expect(actionsOf(world, name).slice(0, 3)).toEqual(["status", "stage", "apply"]);
    expect(world.hosts.host(instanceOfNode(name))).toMatchObject({ booted: imageB, reboots: 1 });
  }
});

test("a node that cannot stage stays on its image and says why, and the others go on", async () => {
  const world = commandedWorld({ faults: { w2: "stage-fails" } });
  await rollToTheEnd(world.ports, world.turn);
  expect(booted(world)).toEqual([digestB, digestA, digestB]);
  expect(world.ports.nodePools.node("w2").bootcNode).toMatchObject({
    error: "bootc stage failed: error: Switching: no such manifest",
    idle: { activity: null },
    slot: null,
  });
  expect(actionsOf(world, "w2").filter((action) => action === "stage").length).toBeGreaterThan(2);
});

test("a node that came back on the old image says so, and is tried more and more rarely", async () => {
  const world = commandedWorld({ faults: { w1: "old-image" } });
  await rollToTheEnd(world.ports, world.turn);
  const { bootcNode } = world.ports.nodePools.node("w1");
  expect(bootcNode?.slot).not.toBeNull();
  expect(bootcNode?.error).toContain("bootc apply failed: it runs sha256:aaa");
  expect(world.hosts.host(instanceOfNode("w1")).reboots).toBe(bootcNode?.command?.attempts);
  expect(bootcNode?.command?.attempts).toBeGreaterThan(2);
});

describe("a function that is killed leads to the same end", () => {
  const calls = ["send status", "send stage", "send apply", "report", "result"];
  const moments = calls.flatMap((call): Moment[] => [`before ${call}`, `after ${call}`]);
  test.for(moments)("%s", async (moment) => {
    const world = commandedWorld({ atMoment: killedAt(moment) });
    await rollToTheEnd(world.ports, world.turn);
    expectSettled(world);
    expect(names.map((name) => world.hosts.host(instanceOfNode(name)).reboots)).toEqual([1, 1, 1]);
  });
});
