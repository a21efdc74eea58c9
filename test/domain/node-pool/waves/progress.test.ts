import { describe, expect, test } from "vitest";
import type { NodePoolSpec, NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { poolEvents } from "../../../../functions/domain/node-pool/event/pool-events.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { after, noon } from "../../../support/workloads.ts";
import {
  digestA,
  digestB,
  digestC,
  failing,
  imageB,
  imageC,
  member,
  pool,
  poolState,
  rawSpec,
  slotted,
  staged,
  updated,
} from "../pools.ts";

const written = [{ nodes: 1, soak: "10m" }, { pause: {} }, { nodes: "50%" }, { pause: { duration: "5m" } }];
const { steps } = parseSpec({ ...rawSpec, steps: written }).spec;
const maxUnavailable = { unit: "nodes", amount: 4 } as const;

const stepped = (status: Partial<NodePoolStatus> = {}, spec: Partial<NodePoolSpec> = {}) =>
  pool({ steps, maxUnavailable, ...spec }, { status });

/** Four nodes: those given, and staged ones. */
const four = (...given: readonly ReturnType<typeof member>[]) => [
  ...given,
  ...["w1", "w2", "w3", "w4"].slice(given.length).map((name) => member(name, staged)),
];

const at = (step: number, since: Date | null = null) => ({ progress: { digest: digestB, step, since } });
const notReady = { ready: false };
const isUpdated = member("w1", updated);

test.for([
  { when: "nothing is updated", nodes: four(), from: {}, to: at(1), slots: 1, waitsFor: null },
  {
    when: "the node of the step has its slot",
    nodes: four(member("w1", slotted)),
    from: at(1),
    to: at(1),
    slots: 0,
    waitsFor: "the nodes of step 1/4",
  },
  {
    when: "it fails in its soak",
    nodes: four(member("w1", { ...updated, ...failing })),
    from: at(1, after(-5)),
    to: at(1),
    slots: 0,
    waitsFor: "the nodes of step 1/4: w1",
  },
  {
    when: "it was not Ready in its soak for a moment",
    nodes: four(member("w1", updated, { readyChangedAt: after(-3) })),
    from: at(1, after(-12)),
    to: at(1, after(-3)),
    slots: 0,
    waitsFor: "the soak of step 1/4 until 2026-11-20T12:07:00Z",
  },
  {
    when: "its clock is ahead",
    nodes: four(member("w1", updated, { readyChangedAt: after(3) })),
    from: at(1, after(-10)),
    to: at(2, after(0)),
    slots: 0,
    waitsFor: "a person at step 2/4 (pawl promote bootcnodepool/workers)",
  },
  { when: "half follows", nodes: four(isUpdated), from: at(3), to: at(3), slots: 2, waitsFor: null },
  {
    when: "a timed pause has begun",
    nodes: four(isUpdated, member("w2", updated), member("w3", updated)),
    from: at(3),
    to: at(4, after(0)),
    slots: 0,
    waitsFor: "the pause of step 4/4 until 2026-11-20T12:05:00Z",
  },
  {
    when: "a timed pause is over",
    nodes: four(isUpdated),
    from: at(4, after(-5)),
    to: at(5),
    slots: 3,
    waitsFor: null,
  },
  {
    when: "another image was rolled out before",
    nodes: four(),
    from: { progress: { digest: digestC, step: 4, since: null } },
    to: at(1),
    slots: 1,
    waitsFor: null,
  },
  {
    when: "the image has failed, and nodes go back",
    nodes: four(isUpdated),
    from: { failedDigests: [digestB], ...at(2, after(-1)) },
    to: at(2, after(-1)),
    slots: 0,
    waitsFor: null,
    onHalt: "Rollback" as const,
  },
])("if $when, $slots nodes acquire a slot", ({ nodes, from, to, slots, waitsFor, onHalt = "Hold" as const }) => {
  const state = poolState(nodes, { pool: stepped(from, { onHalt }) });
  expect(state.pool.status.progress).toEqual(to.progress);
  expect(state.slotRecipients.size).toBe(slots);
  expect(state.wave.waitsFor).toBe(waitsFor);
  const reason = waitsFor === null ? null : `it waits for ${waitsFor}`;
  expect(state.noSlotReason).toBe(state.isHalted ? "the rollout is halted" : reason);
  // The next round starts from what this one has written.
  expect(poolState(nodes, { pool: state.pool }).pool.status.progress).toEqual(to.progress);
});

test("a pause that waits for a person is an Event, once", () => {
  const at2 = poolState(four(isUpdated), { pool: stepped(at(1, after(-10))) });
  const status = computePoolStatus(at2, null);
  const eventsFrom = (before: Partial<NodePoolStatus>, next = status) =>
    poolEvents(stepped(before), next, null).filter(({ event }) => event === "Node Pool Rollout Paused");
  expect(eventsFrom(at(1, after(-10)))).toMatchObject([{ reason: "RolloutPaused", type: "Normal" }]);
  expect(eventsFrom({ progress: null })).toHaveLength(1);
  expect(eventsFrom(at(2, after(-1)))).toEqual([]);
  expect(eventsFrom({}, { ...status, progress: null })).toEqual([]);
  expect(eventsFrom({}, { ...status, ...at(4, after(0)) })).toEqual([]);
});

test("the condition says what the rollout waits for", () => {
  const { conditions } = computePoolStatus(poolState(four(isUpdated), { pool: stepped(at(1)) }), null);
  expect(conditions[0]?.message).toMatch(/^1\/4 updated; .*; waits for the soak of step 1\/4 until /);
});

test("steps with more nodes than the pool update all of them, and say so", () => {
  const { steps: many } = parseSpec({ ...rawSpec, steps: [{ nodes: 3 }, { nodes: 9, soak: "1m" }] }).spec;
  const nodes = ["w1", "w2", "w3", "w4"].map((name) => member(name, updated));
  const begun = poolState(four(...nodes.slice(0, 3)), { pool: stepped(at(2), { steps: many }) });
  expect([...begun.slotRecipients]).toEqual(["w4"]);
  const done = poolState(nodes, { pool: stepped(at(2), { steps: many }) });
  expect(done.wave.waitsFor).toMatch(/^the soak of step 2\/2; its steps have 12 nodes, and it has 4 until/);
  expect(computePoolStatus(done, null)).toMatchObject({ deployedDigest: digestB, updateAvailable: false });
});

test("a tag that is not resolved yet has no progress", () => {
  const state = poolState(four(), {
    now: noon,
    pool: stepped({ targetDigest: null }, { imageRef: "quay.io/example/myos:v2" }),
  });
  expect(state.pool.status.progress).toBeNull();
  expect(state.pool.status.deployedDigest).toBe(digestA);
});

test("a pool that is scaled in during a step does not end its steps: nodes that join wait for it", () => {
  const status = { ...at(2, after(-1)), deployedDigest: digestB };
  const joined = poolState(four(isUpdated), { pool: stepped(status) });
  expect(joined.pool.status.progress).toEqual(at(2, after(-1)).progress);
  expect(joined.slotRecipients.size).toBe(0);
  const over = { ...at(5), deployedDigest: digestB };
  expect(poolState(four(isUpdated), { pool: stepped(over) }).pool.status.progress).toBeNull();
});

test("a pool without nodes deploys nothing and ends no step: nodes that join later wait for each of them", () => {
  const empty = poolState([], { pool: stepped() });
  expect(empty.pool.status.progress).toEqual(at(1).progress);
  const status = computePoolStatus(empty, null);
  expect(status).toMatchObject({ deployedDigest: digestA, updateAvailable: false, progress: at(1).progress });
  expect(poolEvents(stepped({ targetDigest: digestC }), status, null)).toEqual([]);
  const joined = poolState(four(), { pool: stepped(status), now: after(60 * 24) });
  expect(joined.pool.status.progress).toEqual(at(1).progress);
  expect(joined.slotRecipients.size).toBe(1);
});

describe("a node that dies after it has released its slot", () => {
  const died = member("w1", updated, { ...notReady, readyChangedAt: after(-16) });
  const failed = member("w1", { ...updated, ...failing });
  const haltThreshold = { unit: "nodes", amount: 3 } as const;

  test.for([
    { when: "in the soak of its step", node: died, from: at(1, after(-30)), reason: "RolloutHalted" },
    { when: "at a pause after it", node: died, from: at(2, after(-30)), reason: "RolloutHalted" },
    { when: "with an error", node: failed, from: at(1, after(-30)), reason: "RolloutHalted" },
    { when: "as one of many, below the threshold", node: died, from: at(3), reason: "NodeDegraded" },
    { when: "a minute ago", node: member("w1", updated, notReady), from: at(1, after(-30)), reason: "Healthy" },
    { when: "without steps", node: died, from: {}, steps: [], reason: "Healthy" },
    { when: "after all steps", node: died, from: at(5), reason: "Healthy" },
  ])("$when: the pool is $reason", ({ node, from, reason, ...spec }) => {
    const nodes = reason === "NodeDegraded" ? [node, member("w2", updated), member("w3", updated)] : four(node);
    const state = poolState(nodes, { pool: stepped(from, { haltThreshold, ...spec }) });
    const degraded = computePoolStatus(state, null).conditions.find(({ type }) => type === "Degraded");
    expect(degraded?.reason).toBe(reason);
    const messages = {
      RolloutHalted: "Unhealthy nodes in reboot slots: w1 (SoakFailed)",
      NodeDegraded: "Degraded nodes: w1 (not Ready for 900 s, and its step waits for it)",
      Healthy: "",
    };
    expect(degraded?.message).toBe(messages[reason as keyof typeof messages]);
  });
});

test.for([
  { when: "cannot stage the image", holder: member("w1", { ...slotted, ...failing }), left: 0 },
  {
    when: "fails on another image",
    holder: member("w1", { ...slotted, ...failing, desiredImage: imageC }),
    left: 1,
  },
  { when: "is drained", holder: member("w1", slotted), left: 0 },
])("a slot holder that $when leaves $left places of a step of one node", ({ holder, left }) => {
  const state = poolState(four(holder), { pool: stepped(at(1)) });
  expect(state.wave.left).toBe(left);
  expect(state.slotRecipients.size).toBe(left);
});

test("an image is no image to return to before its first step is over", () => {
  const goodAfter = (progress: Partial<NodePoolStatus>) =>
    computePoolStatus(poolState(four(isUpdated), { pool: stepped(progress) }), null).lastKnownGoodImage;
  expect([at(1), at(1, after(-10)), {}].map(goodAfter)).toEqual([null, imageB, null]);
});
