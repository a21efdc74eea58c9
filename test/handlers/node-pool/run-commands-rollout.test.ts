import { describe, expect, test } from "vitest";
import { digestA, digestB, imageB } from "../../domain/node-pool/pools.ts";
import type { Moment } from "../../support/fake-cluster.ts";
import { killedAt } from "../../support/fake-ports.ts";
import { type AgentlessFixture, createAgentlessFixture, instanceIdOf } from "./agentless-fixtures.ts";
import { runUntilComplete } from "./run-node-pool-rollout.ts";

const names = ["w1", "w2", "w3"];

function booted({ ports }: AgentlessFixture) {
  return names.map((name) => ports.nodePools.node(name).bootcNode?.bootedDigest);
}

function actionsOf({ hosts }: AgentlessFixture, name: string) {
  return hosts.sent.filter(({ instance }) => instance === instanceIdOf(name)).map(({ action }) => action);
}

function expectSettled(fixture: AgentlessFixture) {
  expect(booted(fixture)).toEqual([digestB, digestB, digestB]);
  for (const name of names) {
    const { node, bootcNode } = fixture.ports.nodePools.node(name);
    expect(bootcNode).toMatchObject({ slot: null, error: null, idle: { activity: null }, command: null });
    expect(node).toMatchObject({ unschedulable: false, ready: true });
  }
}

test("a pool without daemons rolls out with as few commands per node as a daemon would run", async () => {
  const fixture = createAgentlessFixture();
  await runUntilComplete(fixture.ports, fixture.stepHosts);
  expectSettled(fixture);
  for (const name of names) {
    expect(actionsOf(fixture, name).slice(0, 3)).toEqual(["status", "stage", "apply"]);
    expect(fixture.hosts.host(instanceIdOf(name))).toMatchObject({ booted: imageB, reboots: 1 });
  }
});

test("a node that cannot stage stays on its image and reports why, and the others continue", async () => {
  const fixture = createAgentlessFixture({ faults: { w2: "stage-fails" } });
  await runUntilComplete(fixture.ports, fixture.stepHosts);
  expect(booted(fixture)).toEqual([digestB, digestA, digestB]);
  expect(fixture.ports.nodePools.node("w2").bootcNode).toMatchObject({
    error: "bootc stage failed: error: Switching: no such manifest",
    idle: { activity: null },
    slot: null,
  });
  expect(actionsOf(fixture, "w2").filter((action) => action === "stage").length).toBeGreaterThan(2);
});

test("a node that boots the previous image reports it, and is retried with growing back-off", async () => {
  const fixture = createAgentlessFixture({ faults: { w1: "old-image" } });
  await runUntilComplete(fixture.ports, fixture.stepHosts);
  const { bootcNode } = fixture.ports.nodePools.node("w1");
  expect(bootcNode?.slot).not.toBeNull();
  expect(bootcNode?.error).toContain("bootc apply failed: it runs sha256:aaa");
  expect(fixture.hosts.host(instanceIdOf("w1")).reboots).toBe(bootcNode?.command?.attempts);
  expect(bootcNode?.command?.attempts).toBeGreaterThan(2);
});

describe("a function that is killed leads to the same end", () => {
  const calls = ["send status", "send stage", "send apply", "writeAgentReport", "result"];
  const moments = calls.flatMap((call): Moment[] => [`before ${call}`, `after ${call}`]);
  test.for(moments)("%s", async (moment) => {
    const fixture = createAgentlessFixture({ atMoment: killedAt(moment) });
    await runUntilComplete(fixture.ports, fixture.stepHosts);
    expectSettled(fixture);
    expect(names.map((name) => fixture.hosts.host(instanceIdOf(name)).reboots)).toEqual([1, 1, 1]);
  });
});
