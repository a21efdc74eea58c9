import { describe, expect, test } from "vitest";
import { joiningStep, memberStep } from "../../../functions/domain/node-pool/node-steps.ts";
import type { BootcNode, KubeNode, NodePoolSpec } from "../../../functions/domain/node-pool/types.ts";
import { parseWindow } from "../../../functions/domain/node-pool/windows.ts";
import { after } from "../../support/workloads.ts";
import {
  approved,
  bootcNode,
  cordoned,
  digestA,
  failing,
  fresh,
  imageA,
  imageB,
  member,
  pool,
  rebooting,
  slot,
  staged,
  staging,
  tick,
  updated,
} from "./pools.ts";

interface Case {
  readonly when: string;
  readonly of?: Partial<BootcNode>;
  readonly node?: Partial<KubeNode>;
  readonly spec?: Partial<NodePoolSpec>;
  readonly minutes?: number;
  readonly step: object;
}

function stepOf({ of = {}, node = {}, spec = {}, minutes = 0 }: Omit<Case, "when" | "step">) {
  const one = member("w", of, node);
  return memberStep(one, tick([one], { pool: pool(spec), now: after(minutes) }), null);
}

const wait = (what: string, reason = "") => ({ kind: "wait", for: what, reason: expect.stringContaining(reason) });
const held: Partial<NodePoolSpec> = { paused: true, preStageWhilePaused: false };
const shut = parseWindow({ schedule: "0 22 * * *", durationSeconds: 60 });
const windows = shut.kind === "window" ? [shut] : [];
const asks = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const secret = { name: "pull", namespace: "os" };

describe("a member without a slot", () => {
  test.for<Case>([
    { when: "is not labelled", node: { labels: { role: "worker" } }, step: { kind: "label" } },
    {
      when: "was asked for another image",
      of: { desiredImage: imageA, desiredImageState: "Booted" },
      step: { kind: "ask", asks, isNewImage: true, state: "Staged" },
    },
    {
      when: "was asked for another image, paused",
      of: { desiredImage: imageA },
      spec: { paused: true },
      step: { kind: "ask", asks, isNewImage: true, state: "Staged" },
    },
    {
      when: "was asked for another image, paused without staging ahead",
      of: { desiredImage: imageA },
      spec: held,
      step: wait("owner", "paused"),
    },
    {
      when: "may not be asked and was told to reboot",
      of: { desiredImage: imageA, bootedDigest: "x", desiredImageState: "Booted" },
      spec: held,
      step: { kind: "revoke" },
    },
    {
      when: "has another pull secret",
      of: { desiredImageState: "Booted", ...updated },
      spec: { pullSecretRef: secret },
      step: { kind: "ask", asks: { ...asks, pullSecretRef: secret }, isNewImage: false, state: "Booted" },
    },
    {
      when: "has a pull secret of another namespace",
      of: { pullSecretRef: { name: "pull", namespace: "x" } },
      spec: { pullSecretRef: secret },
      step: { kind: "ask" },
    },
    {
      when: "has a pull secret that is no longer asked for",
      of: { pullSecretRef: secret },
      step: { kind: "ask", asks },
    },
    { when: "has the pull secret's former content", of: { pullSecretHash: "old" }, step: { kind: "ask", asks } },
    { when: "may reboot without a slot", of: { ...approved, slot: null }, step: { kind: "revoke" } },
    { when: "was cordoned by Pawl", node: cordoned, step: { kind: "uncordon" } },
    { when: "is up to date", of: updated, step: { kind: "none" } },
    {
      when: "is up to date and still told to boot that",
      of: { ...updated, desiredImageState: "Booted" },
      step: { kind: "none" },
    },
    { when: "reports an error", of: failing, step: wait("owner", "stage failed") },
    { when: "is pending", step: wait("staging", "pending") },
    { when: "is staging", of: staging, step: wait("staging") },
    {
      when: "stages for too long",
      of: staging,
      spec: { stagingTimeoutSeconds: 60 },
      minutes: 2,
      step: wait("owner", "nothing staged after 60 s"),
    },
    { when: "is staged", of: staged, step: { kind: "take-slot", wasCordoned: false, nodeUid: "node-1" } },
    {
      when: "is staged and cordoned by a person",
      of: staged,
      node: { unschedulable: true },
      step: { kind: "take-slot", wasCordoned: true },
    },
    { when: "is staged and not Ready", of: staged, node: { ready: false }, step: wait("owner", "not Ready") },
    {
      when: "has staged another digest",
      of: { ...staged, stagedDigest: digestA },
      step: wait("staging", "another image"),
    },
    { when: "is staged, paused", of: staged, spec: { paused: true }, step: wait("slot", "paused") },
    {
      when: "is staged, out of hours",
      of: staged,
      spec: { windows },
      step: wait("slot", "opens before 2026-11-20T22:00:00Z"),
    },
    {
      when: "is staged, after another pool",
      of: staged,
      spec: { dependsOn: ["infra", "x"] },
      step: wait("slot", "waits for infra, which does not exist, and for x"),
    },
    {
      when: "is staged, with maxUnavailable 0",
      of: staged,
      spec: { maxUnavailable: { unit: "nodes", amount: 0 } },
      step: wait("slot", "maxUnavailable is 0"),
    },
  ])("$when", ({ step, ...given }) => {
    expect(stepOf(given)).toMatchObject(step);
  });

  test("waits for a slot while others have them all", () => {
    const nodes = [member("a", { ...rebooting }), member("b", staged)] as const;
    expect(memberStep(nodes[1], tick(nodes), null)).toEqual({
      kind: "wait",
      for: "slot",
      reason: "all slots are taken",
    });
  });
});

test("nothing is asked of anybody before the image was resolved", () => {
  const unresolved = pool({ imageRef: "quay.io/example/myos:latest" }, { status: { targetDigest: null } });
  const seen = tick([member("a", staged), fresh("b")], { pool: unresolved });
  expect(memberStep(member("a", staged), seen, null)).toMatchObject({
    for: "owner",
    reason: expect.stringContaining("resolved"),
  });
  expect(joiningStep(seen)).toMatchObject({ for: "owner", reason: expect.stringContaining("resolved") });
});

test("a node joins with what all are asked for, unless its pool is paused and does not stage ahead", () => {
  expect(joiningStep(tick([fresh("w")]))).toEqual({ kind: "create", asks });
  expect(joiningStep(tick([fresh("w")], { pool: pool({ paused: true }) }))).toEqual({ kind: "create", asks });
  expect(joiningStep(tick([fresh("w")], { pool: pool(held) }))).toMatchObject({ kind: "wait", for: "owner" });
});

test("while paused without staging ahead, a node in its slot is asked for what is new", () => {
  const one = member("w", { ...bootcNode, desiredImage: imageA, slot });
  expect(memberStep(one, tick([one], { pool: pool(held) }), null)).toMatchObject({ kind: "ask", state: "Staged" });
});
