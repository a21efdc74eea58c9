import { describe, expect, test } from "vitest";
import type { BootcNode, KubeNode, PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { poolEvents } from "../../../../functions/domain/node-pool/event/pool-events.ts";
import type { PoolState } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import { isRollbackPending } from "../../../../functions/domain/node-pool/halt/rollback.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { after, noon } from "../../../support/workloads.ts";
import {
  cordoned,
  digestA,
  digestB,
  digestC,
  imageB,
  imageC,
  member,
  pool,
  poolState,
  rebooting,
  slot,
  staged,
  unmanagedNode,
  updated,
} from "../pools.ts";

const degraded = (state: PoolState) => {
  const { conditions } = computePoolStatus(state, null);
  const found = conditions.find(({ type }) => type === "Degraded");
  return [found?.reason, found?.message];
};
const dead = { ready: false, readyChangedAt: noon };
const free = { unschedulable: false, cordonedByPool: null };
const notReady = "Degraded nodes: w1 (not Ready for 900 s)";
const diedBefore = { ...slot, acquiredAt: after(-30) };
const twoDays = 2 * 24 * 60;

describe("a slot holder that is dead", () => {
  const neverBack: Partial<BootcNode> = { ...rebooting };
  const died: Partial<BootcNode> = { ...updated, slot: { ...slot, approvedAt: noon, bootedAt: noon } };

  test.for([
    { when: "it never came back from its reboot", bootc: neverBack },
    { when: "it died on the image", bootc: died },
  ])("is reported after a fix of the image too: $when", ({ bootc }) => {
    const was = member("w1", { ...bootc, desiredImageState: "Booted" }, { ...cordoned, ...dead });
    const halted = computePoolStatus(poolState([was, member("w2", staged)], { now: after(16) }), null);
    expect(halted.conditions.find(({ type }) => type === "Degraded")?.reason).toBe("RolloutHalted");
    const requested = { ...was.bootcNode.slot, approvedAt: null } as BootcNode["slot"];
    const next = member(
      "w1",
      { ...bootc, desiredImage: imageC, desiredImageState: "Staged", isObserved: false, slot: requested },
      { ...cordoned, ...dead },
    );
    const fixed = pool({ imageRef: imageC }, { status: { ...halted, targetDigest: digestC, targetRef: imageC } });
    const waiting = member("w2", { idle: { activity: "Staged" }, stagedDigest: digestC, desiredImage: imageC });
    const state = poolState([next, waiting], { pool: fixed, now: after(twoDays) });
    expect(degraded(state)).toEqual(["NodeDegraded", notReady]);
    expect(poolEvents(fixed, computePoolStatus(state, null), null).map(({ event }) => event)).not.toContain(
      "Node Pool Recovered",
    );
    expect(assessWork(state).kind).toBe("held");
  });

  test.for([
    { minutes: 15, reported: ["Healthy", ""], work: "working" },
    { minutes: 16, reported: ["NodeDegraded", notReady], work: "held" },
  ])("has a new machine that never becomes Ready: after $minutes min", ({ minutes, reported, work }) => {
    const replaced = { bootedDigest: digestA, slot: { ...slot, nodeUid: "old", acquiredAt: after(-30) } };
    const state = poolState([member("w1", replaced, dead), member("w2", staged)], { now: after(minutes) });
    expect(degraded(state)).toEqual(reported);
    expect(planSteps(state)[0]?.step).toMatchObject({ kind: "wait", reason: "its machine was replaced" });
    expect(assessWork(state).kind).toBe(work);
  });
});

describe("dead nodes use up slots that the threshold of a halt needs", () => {
  const bad = member(
    "w1",
    { ...updated, slot: { ...slot, approvedAt: noon, bootedAt: noon } },
    { ...cordoned, ready: false },
  );
  const onOther = { desiredImage: imageB, idle: { activity: "Staging" }, slot: diedBefore } as const;

  test.for<{ when: string; nodes: readonly PoolNode[]; minutes?: number; halted: boolean }>([
    { when: "all others are Ready", nodes: [member("w2"), member("w3")], halted: false },
    { when: "one slot is left", nodes: [member("w2", {}, dead), member("w3")], halted: false },
    { when: "two have no slot and are dead", nodes: [member("w2", {}, dead), member("w3", {}, dead)], halted: true },
    {
      when: "one of them died in its slot on another image",
      nodes: [member("w2", {}, dead), member("w3", onOther, { ...cordoned, ...dead })],
      halted: true,
    },
    {
      when: "two are not Ready for 15 min",
      nodes: [member("w2", {}, dead), member("w3", {}, dead)],
      minutes: 15,
      halted: false,
    },
    {
      when: "two are new",
      nodes: [unmanagedNode("w2", { ready: false, readyChangedAt: after(16) }), unmanagedNode("w3", { ready: false })],
      halted: false,
    },
  ])("one of three slots is unhealthy, and $when: $halted", ({ nodes, minutes = 16, halted }) => {
    const of = pool({ maxUnavailable: { unit: "nodes", amount: 3 } });
    const state = poolState([bad, ...nodes, member("w4", staged)], { pool: of, now: after(minutes) });
    expect([state.isHalted, state.unhealthy.map(({ name }) => name)]).toEqual([halted, ["w1"]]);
  });

  const cannotStage = { ...onOther, idle: null, error: "stage failed" } as const;
  const retry = { id: "c-1", kind: "stage", image: imageB, at: noon, attempts: 1 } as const;
  test.for<{ when: string; bootc: Partial<BootcNode>; node?: Partial<KubeNode>; halted: boolean }>([
    { when: "cannot stage the target", bootc: cannotStage, halted: true },
    { when: "cannot stage the target, and is dead", bootc: cannotStage, node: dead, halted: true },
    { when: "tries again to stage the target", bootc: { ...onOther, command: retry }, halted: true },
    { when: "stages the target", bootc: onOther, halted: false },
    { when: "is back after a retry", bootc: { ...updated, slot: diedBefore, command: retry }, halted: false },
    { when: "has released its slot, and fails", bootc: { ...cannotStage, slot: null }, node: free, halted: false },
  ])("one of two slots is unhealthy, and the other node $when: $halted", ({ bootc, node = {}, halted }) => {
    const of = pool({ maxUnavailable: { unit: "nodes", amount: 2 }, onHalt: "Rollback" });
    const nodes = [bad, member("w2", bootc, { ...cordoned, ...node }), member("w3", staged)];
    const state = poolState(nodes, { pool: of, now: after(16) });
    expect([state.isHalted, state.unhealthy.map(({ name }) => name)]).toEqual([halted, ["w1"]]);
    expect(isRollbackPending(state)).toBe(halted);
  });
});

describe("a dead node of a dependency that is up to date", () => {
  const upToDate = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" } as const;
  const own = { name: "infra", uid: "pool-2" };
  const role = { role: "infra", "bootc.dev/managed": "" };
  const infra = pool(
    { nodeSelector: { matchLabels: { role: "infra" } } },
    { name: "infra", uid: "pool-2", status: { deployedDigest: digestB, conditions: [upToDate] } },
  );
  const nodes = [
    member("i1", { ...updated, owner: own }, { labels: role, ...dead }),
    member("i2", { ...updated, owner: own }, { labels: role }),
    member("w1", staged),
  ];
  const workers = pool({ dependsOn: ["infra"] });

  test("is named in the UpToDate condition of the pool that waits", () => {
    const { conditions } = computePoolStatus(poolState(nodes, { pool: workers, pools: [infra, workers] }), null);
    expect(conditions[0]).toMatchObject({ type: "UpToDate", reason: "RolloutInProgress" });
    expect(conditions[0]?.message).toMatch(/0 degraded; waits for infra, which has nodes that are not Ready: i1$/);
  });

  const waited = "Degraded nodes: i1 (not Ready for 900 s, and dependent pools wait for it)";
  const done = pool({ dependsOn: ["infra"] }, { status: { conditions: [upToDate] } });
  test.for([
    { when: "a pool waits for 16 min", dependent: workers, minutes: 16, reported: ["NodeDegraded", waited] },
    { when: "a pool waits for 15 min", dependent: workers, minutes: 15, reported: ["Healthy", ""] },
    { when: "the pool that depends on it is up to date", dependent: done, minutes: 16, reported: ["Healthy", ""] },
    { when: "no pool depends on it", dependent: pool(), minutes: 16, reported: ["Healthy", ""] },
  ])("is reported by the dependency if $when: $reported.0", ({ dependent, minutes, reported }) => {
    const state = poolState(nodes, { pool: infra, pools: [infra, dependent], now: after(minutes) });
    expect(degraded(state)).toEqual(reported);
  });
});
