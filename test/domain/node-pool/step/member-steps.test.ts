import { describe, expect, test } from "vitest";
import { planJoiningStep, planMemberStep } from "../../../../functions/domain/node-pool/step/node-steps.ts";
import type { BootcNode, KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import { after } from "../../../support/workloads.ts";
import {
  approved,
  bootcNode,
  cordoned,
  digestA,
  failing,
  unmanagedNode,
  imageA,
  imageB,
  member,
  pool,
  slot,
  staged,
  staging,
  poolState,
  updated,
} from "../pools.ts";

interface Case {
  readonly when: string;
  readonly bootc?: Partial<BootcNode>;
  readonly node?: Partial<KubeNode>;
  readonly spec?: Partial<NodePoolSpec>;
  readonly minutes?: number;
  readonly expected: object;
}

function stepOf({ bootc = {}, node = {}, spec = {}, minutes = 0 }: Omit<Case, "when" | "expected">) {
  const one = member("w", bootc, node);
  return planMemberStep(one, poolState([one], { pool: pool(spec), now: after(minutes) }), null);
}

const wait = (what: string, reason = "") => ({ kind: "wait", for: what, reason: expect.stringContaining(reason) });
const pausedWithoutStaging: Partial<NodePoolSpec> = { paused: true, preStageWhilePaused: false };
const closed = parseWindow({ schedule: "0 22 * * *", durationSeconds: 60 });
const windows = closed.kind === "window" ? [closed] : [];
const desired = { image: imageB, pullSecretRef: null, pullSecretHash: null };
const secret = { name: "pull", namespace: "os" };

describe("a member without a slot", () => {
  test.for<Case>([
    { when: "has no label", node: { labels: { role: "worker" } }, expected: { kind: "label" } },
    {
      when: "was requested to run another image",
      bootc: { desiredImage: imageA, desiredImageState: "Booted" },
      expected: { kind: "request-image", desired, isNewImage: true, state: "Staged" },
    },
    {
      when: "was requested to run another image, paused without pre-staging",
      bootc: { desiredImage: imageA },
      spec: pausedWithoutStaging,
      expected: wait("owner", "paused"),
    },
    {
      when: "has another pull secret",
      bootc: { desiredImageState: "Booted", ...updated },
      spec: { pullSecretRef: secret },
      expected: {
        kind: "request-image",
        desired: { ...desired, pullSecretRef: secret },
        isNewImage: false,
        state: "Booted",
      },
    },
    {
      when: "has a pull secret of another namespace",
      bootc: { pullSecretRef: { name: "pull", namespace: "x" } },
      spec: { pullSecretRef: secret },
      expected: { kind: "request-image" },
    },
    {
      when: "has the previous content of the pull secret",
      bootc: { pullSecretHash: "old" },
      expected: { kind: "request-image", desired },
    },
    { when: "has an approved reboot without a slot", bootc: { ...approved, slot: null }, expected: { kind: "revoke" } },
    { when: "was cordoned by Pawl", node: cordoned, expected: { kind: "uncordon" } },
    { when: "is up to date", bootc: updated, expected: { kind: "none" } },
    {
      when: "is up to date and still desired as Booted",
      bootc: { ...updated, desiredImageState: "Booted" },
      expected: { kind: "none" },
    },
    { when: "reports an error", bootc: failing, expected: wait("owner", "stage failed") },
    { when: "has staged nothing", expected: wait("staging", "pending") },
    { when: "is staging", bootc: staging, expected: wait("staging") },
    {
      when: "exceeds the staging timeout",
      bootc: staging,
      spec: { stagingTimeoutSeconds: 60 },
      minutes: 2,
      expected: wait("owner", "nothing staged after 60 s"),
    },
    { when: "is staged", bootc: staged, expected: { kind: "acquire-slot", wasCordoned: false, nodeUid: "node-1" } },
    {
      when: "is staged and cordoned manually",
      bootc: staged,
      node: { unschedulable: true },
      expected: wait("owner", "it is cordoned; uncordon it, or set rollout.cordonedNodes: Include"),
    },
    { when: "is staged and not Ready", bootc: staged, node: { ready: false }, expected: wait("owner", "not Ready") },
    {
      when: "has staged another digest",
      bootc: { ...staged, stagedDigest: digestA },
      expected: wait("staging", "another image"),
    },
    { when: "is staged, paused", bootc: staged, spec: { paused: true }, expected: wait("slot", "paused") },
    {
      when: "is staged, outside every window",
      bootc: staged,
      spec: { windows },
      expected: wait("slot", "opens before 2026-11-20T22:00:00Z"),
    },
    {
      when: "is staged, and depends on other pools",
      bootc: staged,
      spec: { dependsOn: ["infra", "x"] },
      expected: wait("slot", "waits for infra, which does not exist, and for x"),
    },
    {
      when: "is staged, with maxUnavailable 0",
      bootc: staged,
      spec: { maxUnavailable: { unit: "nodes", amount: 0 } },
      expected: wait("slot", "maxUnavailable is 0"),
    },
  ])("$when", ({ expected, ...given }) => {
    expect(stepOf(given)).toMatchObject(expected);
  });
});

test("nothing is requested before the image is resolved", () => {
  const unresolved = pool({ imageRef: "quay.io/example/myos:latest" }, { status: { targetDigest: null } });
  const state = poolState([member("a", staged), unmanagedNode("b")], { pool: unresolved });
  expect(planMemberStep(member("a", staged), state, null)).toMatchObject({
    for: "owner",
    reason: expect.stringContaining("resolved"),
  });
  expect(planJoiningStep("w", state)).toMatchObject({ for: "owner", reason: expect.stringContaining("resolved") });
});

test("a node joins with the desired image, unless its pool is paused and does not pre-stage", () => {
  expect(planJoiningStep("w", poolState([unmanagedNode("w")]))).toEqual({ kind: "create", desired });
  expect(planJoiningStep("w", poolState([unmanagedNode("w")], { pool: pool({ paused: true }) }))).toEqual({
    kind: "create",
    desired,
  });
  expect(planJoiningStep("w", poolState([unmanagedNode("w")], { pool: pool(pausedWithoutStaging) }))).toMatchObject({
    kind: "wait",
    for: "owner",
  });
});

test("a slot holder gets a new image while the pool is paused and does not pre-stage", () => {
  const one = member("w", { ...bootcNode, desiredImage: imageA, slot });
  expect(planMemberStep(one, poolState([one], { pool: pool(pausedWithoutStaging) }), null)).toMatchObject({
    kind: "request-image",
    state: "Staged",
  });
});
