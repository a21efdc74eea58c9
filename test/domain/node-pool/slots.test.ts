import { describe, expect, test } from "vitest";
import { nodesOf, parseAmount } from "../../../functions/domain/node-pool/amount.ts";
import { membershipOf } from "../../../functions/domain/node-pool/membership.ts";
import {
  candidates,
  isFreeable,
  isTakeable,
  occupiedSlots,
  slotsOf,
} from "../../../functions/domain/node-pool/slots.ts";
import { readSpec } from "../../../functions/domain/node-pool/spec.ts";
import {
  approved,
  cordoned,
  digestA,
  failing,
  fresh,
  imageA,
  imageB,
  kubeNode,
  member,
  pool,
  rebooting,
  slot,
  slotted,
  staged,
  staging,
  updated,
  written,
} from "./pools.ts";

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
  const { spec, problems } = readSpec({ ...written, rollout });
  expect(problems).toEqual([]);
  expect(slotsOf(spec, nodes)).toBe(slots);
});

test.for(["banana", "3", "-1%", "2.5%", "%", "", -1, 1.5, Number.NaN])("maxUnavailable %s cannot be read", (value) => {
  expect(parseAmount(value)).toMatchObject({ kind: "invalid" });
  const { spec, problems } = readSpec({ ...written, rollout: { maxUnavailable: value } });
  expect(problems).toEqual([expect.stringContaining("rollout.maxUnavailable")]);
  expect(nodesOf(spec.maxUnavailable, 10)).toBe(1);
});

describe("candidates", () => {
  const nodes = [member("c", staged), member("b", slotted), member("a", slotted), member("d", staged)];
  const names = (free: number, of = nodes) => candidates(of, imageB, free).map(({ name }) => name);

  test.for([
    { free: 1, are: ["a", "b", "c"] },
    { free: 5, are: ["a", "b", "c", "d"] },
    { free: 0, are: ["a", "b"] },
    { free: -2, are: ["a", "b"] },
  ])("with $free free slots: $are", ({ free, are }) => {
    expect(names(free)).toEqual(are);
  });

  test("nobody without a slot where none is free", () => {
    expect(names(0, [member("x", staged)])).toEqual([]);
  });

  test("whoever cannot take a slot does not stand in the way of others", () => {
    expect(names(1, [member("a", staged, { ready: false }), member("b", failing), member("c", staged)])).toEqual(["c"]);
  });
});

test.for([
  { when: "it is staged", of: staged, takes: true },
  { when: "it is cordoned by a person", of: staged, node: { unschedulable: true }, takes: true },
  { when: "its Node is not Ready", of: staged, node: { ready: false }, takes: false },
  { when: "it is degraded", of: { ...staged, ...failing }, takes: false },
  { when: "it is staging", of: staging, takes: false },
  { when: "it has staged another digest", of: { ...staged, stagedDigest: digestA }, takes: false },
  { when: "it names nothing staged", of: { ...staged, stagedDigest: null }, takes: false },
  {
    when: "it was asked for another image",
    of: { ...staged, desiredImage: imageA, bootedDigest: "x", stagedDigest: digestA },
    takes: false,
  },
  { when: "it is up to date", of: updated, takes: false },
])("takes a slot where $when: $takes", ({ of, node = {}, takes }) => {
  expect(isTakeable(member("w", of, node), imageB)).toBe(takes);
});

test.for([
  { when: "it runs its image and is Ready", of: updated, frees: true },
  { when: "it is not Ready", of: updated, node: { ready: false }, frees: false },
  { when: "it reports an error", of: { ...updated, ...failing }, frees: false },
  { when: "it runs another image", of: approved, frees: false },
  { when: "its agent has said nothing of its activity", of: { ...updated, idle: null }, frees: true },
  { when: "its agent is about to reboot into what was called off", of: { ...rebooting, ...updated }, frees: false },
  { when: "its agent has not seen what was called off", of: { ...updated, isObserved: false }, frees: false },
])("frees its slot where $when: $frees", ({ of, node = {}, frees }) => {
  expect(isFreeable(member("w", { ...of, slot }, node))).toBe(frees);
});

test("what leaves, and what is cordoned without a BootcNode, still counts", () => {
  const nodes = [
    member("a", slotted),
    member("b"),
    { ...member("c", slotted), node: null },
    fresh("d", { ...cordoned }),
    fresh("e"),
    member("f", slotted, { labels: {} }),
    member("g", { ...slotted, owner: null }, kubeNode),
  ];
  expect(occupiedSlots(membershipOf(pool(), nodes))).toBe(4);
});
