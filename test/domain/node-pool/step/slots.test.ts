import { describe, expect, test } from "vitest";
import { resolveIntOrPercent, parseIntOrPercent } from "../../../../functions/domain/node-pool/pool/int-or-percent.ts";
import { computeMembership } from "../../../../functions/domain/node-pool/pool/membership.ts";
import {
  selectSlotCandidates,
  isBack,
  canAcquireSlot,
  countOccupiedSlots,
  findUnavailable,
  maxSlots,
} from "../../../../functions/domain/node-pool/step/slots.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import {
  approved,
  cordoned,
  digestA,
  failing,
  unmanagedNode,
  imageA,
  imageB,
  kubeNode,
  member,
  pool,
  poolState,
  rebooting,
  slot,
  slotted,
  staged,
  staging,
  updated,
  rawSpec,
} from "../pools.ts";

test.for([
  { max: undefined, nodes: 10, slots: 1 },
  { max: 3, nodes: 10, slots: 3 },
  { max: 0, nodes: 10, slots: 0 },
  { max: "25%", nodes: 10, slots: 3 },
  { max: "25%", nodes: 12, slots: 3 },
  { max: "1%", nodes: 5, slots: 1 },
  { max: "0%", nodes: 5, slots: 0 },
  { max: "100%", nodes: 5, slots: 5 },
  { max: "50%", nodes: 0, slots: 0 },
  { max: 3, nodes: 10, paused: true, slots: 0 },
])("maxUnavailable $max of $nodes nodes, paused $paused: $slots", ({ max, nodes, paused = false, slots }) => {
  const rollout = max === undefined ? { paused } : { maxUnavailable: max, paused };
  const { spec, problems } = parseSpec({ ...rawSpec, rollout });
  expect(problems).toEqual([]);
  expect(maxSlots(spec, nodes)).toBe(slots);
});

test.for(["banana", "3", "-1%", "2.5%", "%", "", -1, 1.5, Number.NaN])("maxUnavailable %s is invalid", (value) => {
  expect(parseIntOrPercent(value)).toMatchObject({ kind: "invalid" });
  const { spec, problems } = parseSpec({ ...rawSpec, rollout: { maxUnavailable: value } });
  expect(problems).toEqual([expect.stringContaining("rollout.maxUnavailable")]);
  expect(resolveIntOrPercent(spec.maxUnavailable, 10)).toBe(1);
});

describe("candidates", () => {
  const nodes = [member("c", staged), member("b", slotted), member("a", slotted), member("d", staged)];
  const names = (free: number, of = nodes) => selectSlotCandidates(of, imageB, free).map(({ name }) => name);

  test.for([
    { free: 1, expected: ["a", "b", "c"] },
    { free: 5, expected: ["a", "b", "c", "d"] },
    { free: 0, expected: ["a", "b"] },
    { free: -2, expected: ["a", "b"] },
  ])("with $free free slots: $expected", ({ free, expected }) => {
    expect(names(free)).toEqual(expected);
  });
});

test.for([
  { when: "it is staged", bootc: staged, expected: true },
  { when: "it is cordoned manually", bootc: staged, node: { unschedulable: true }, expected: true },
  { when: "its Node is not Ready", bootc: staged, node: { ready: false }, expected: false },
  { when: "it is degraded", bootc: { ...staged, ...failing }, expected: false },
  { when: "it is staging", bootc: staging, expected: false },
  { when: "it has staged another digest", bootc: { ...staged, stagedDigest: digestA }, expected: false },
  { when: "it reports no staged image", bootc: { ...staged, stagedDigest: null }, expected: false },
  {
    when: "another image was requested",
    bootc: { ...staged, desiredImage: imageA, bootedDigest: "x", stagedDigest: digestA },
    expected: false,
  },
  { when: "it is up to date", bootc: updated, expected: false },
])("can acquire a slot if $when: $expected", ({ bootc, node = {}, expected }) => {
  expect(canAcquireSlot(member("w", bootc, node), imageB)).toBe(expected);
});

test.for([
  { when: "it runs its image and is Ready", bootc: updated, expected: true },
  { when: "it is not Ready", bootc: updated, node: { ready: false }, expected: false },
  { when: "it reports an error", bootc: { ...updated, ...failing }, expected: false },
  { when: "it runs another image", bootc: approved, expected: false },
  { when: "its agent has reported no activity", bootc: { ...updated, idle: null }, expected: true },
  { when: "its agent is about to reboot into a revoked image", bootc: { ...rebooting, ...updated }, expected: false },
  { when: "its agent has not observed the revocation", bootc: { ...updated, isObserved: false }, expected: false },
])("is back if $when: $expected", ({ bootc, node = {}, expected }) => {
  expect(isBack(member("w", { ...bootc, slot }, node))).toBe(expected);
});

test("leaving nodes, and nodes cordoned without a BootcNode, still count", () => {
  const nodes = [
    member("a", slotted),
    member("b"),
    { ...member("c", slotted), node: null },
    unmanagedNode("d", { ...cordoned }),
    unmanagedNode("e"),
    member("f", slotted, { labels: {} }),
    member("g", { ...slotted, owner: null }, kubeNode),
  ];
  expect(countOccupiedSlots(computeMembership(pool(), nodes))).toBe(4);
});

test("nodes that are not Ready count as unavailable, once and whatever their agents report", () => {
  const notReady = { ready: false };
  const nodes = [
    member("ready", staged),
    member("degraded and Ready", failing),
    member("staged", staged, notReady),
    member("on the target", updated, notReady),
    member("in a slot", slotted, notReady),
    member("cordoned by a person", updated, { unschedulable: true }),
    unmanagedNode("joining", notReady),
    unmanagedNode("cordoned by Pawl", { ...cordoned, ...notReady }),
    member("leaving", updated, { ...notReady, labels: {} }),
    unmanagedNode("of no pool", { ...notReady, labels: {} }),
  ];
  const namesOf = (cordonedNodes: "Skip" | "Include") =>
    findUnavailable(computeMembership(pool(), nodes), { cordonedNodes }).map(({ name }) => name);
  expect(namesOf("Include")).toEqual(["on the target", "staged", "joining"]);
  expect(namesOf("Skip")).toEqual(["cordoned by a person", "on the target", "staged", "joining"]);
});

const threeNodes = { maxUnavailable: { unit: "nodes", amount: 3 } } as const;
const notReadyNodes = (count: number) =>
  Array.from({ length: count }, (_, index) => member(`n${index}`, updated, { ready: false }));

test.for([
  {
    when: "three nodes are not Ready",
    nodes: notReadyNodes(3),
    recipients: [],
    reason: "nodes that are not Ready use up maxUnavailable: n0, n1, n2",
  },
  {
    when: "two are not Ready and one is cordoned",
    nodes: [...notReadyNodes(2), member("c", updated, { unschedulable: true })],
    recipients: [],
    reason: "nodes that are not Ready or cordoned use up maxUnavailable: c, n0, n1",
  },
  {
    when: "one is cordoned",
    nodes: [member("a", staged, { unschedulable: true })],
    recipients: ["w1", "w2"],
    reason: null,
  },
  { when: "two are not Ready", nodes: notReadyNodes(2), recipients: ["w1"], reason: null },
])("of maxUnavailable 3, if $when: $recipients", ({ nodes, recipients, reason }) => {
  const waiting = [member("w1", staged), member("w2", staged)];
  const state = poolState([...nodes, ...waiting], { pool: pool(threeNodes) });
  expect([...state.slotRecipients]).toEqual(recipients);
  expect(state.noSlotReason).toBe(reason);
});
