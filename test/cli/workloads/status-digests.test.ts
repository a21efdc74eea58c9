import { describe, expect, test } from "vitest";
import { planWorkload } from "../../../cli/workloads/plan.ts";
import { statusOf } from "../../../cli/workloads/status.ts";
import { runningVersion } from "../../../cli/workloads/versions.ts";
import type { Decision } from "../../../functions/domain/workload/decision/decision.ts";
import type { DigestTracking } from "../../../functions/domain/workload/digest/tracking.ts";
import type { InFlight } from "../../../functions/domain/workload/update/in-flight.ts";
import { claw, inFlight, noon, updatingWorkload, workload, type WorkloadParts } from "../../support/workloads.ts";

const [old, now] = ["0a", "0b"].map((pair) => `sha256:${pair.repeat(32)}`) as [string, string];
const prod = "registry.example/shop/app:prod";

function tracking(parts: Partial<DigestTracking> = {}): DigestTracking {
  const containers = [{ name: "app", image: prod }];
  return {
    containers,
    deployed: { app: old },
    previous: [],
    reverted: null,
    initialDigestPolicy: "restart",
    isBlockedByFinalizer: false,
    ...parts,
  };
}

function trackedByDigest(parts: WorkloadParts = {}, own: Partial<DigestTracking> = {}) {
  return workload({ image: prod, source: null, digests: tracking(own), ...parts });
}

const proxy = { name: "proxy", image: "registry.example/proxy:stable" };

describe("the running version", () => {
  test.for([
    { when: "tracked by digest", initial: trackedByDigest(), runs: `prod@${old}` },
    { when: "tracked for the first time", initial: trackedByDigest({}, { deployed: {} }), runs: "prod" },
    {
      when: "an image without a tag",
      initial: trackedByDigest(
        { image: "registry.example/shop/app" },
        { containers: [{ name: "app", image: "registry.example/shop/app" }] },
      ),
      runs: `latest@${old}`,
    },
    {
      when: "of a sidecar only",
      initial: trackedByDigest({}, { containers: [proxy], deployed: { proxy: old } }),
      runs: `stable@${old}`,
    },
    {
      when: "tracked by tag, and a sidecar by digest",
      initial: trackedByDigest({ source: prod }, { containers: [proxy], deployed: { proxy: old } }),
      runs: "prod",
    },
    {
      when: "pinned by a rollback",
      initial: trackedByDigest({ image: `${prod}@${old}`, isPinnedByPawl: true }, { deployed: { app: now } }),
      runs: `prod@${old}`,
    },
    { when: "pinned manually, tag and digest", initial: workload({ image: `${prod}@${old}` }), runs: `prod@${old}` },
  ])("is complete: $when", ({ initial, runs }) => {
    expect(runningVersion(initial)).toBe(runs);
  });
});

describe("the status shows", () => {
  test.for([
    { when: "its tag", initial: workload(), tracks: ["tag"], pinned: null },
    { when: "a digest", initial: trackedByDigest(), tracks: ["digest"], pinned: null },
    { when: "both", initial: trackedByDigest({ source: prod }), tracks: ["tag", "digest"], pinned: null },
    {
      when: "a digest that a rollback has pinned",
      initial: trackedByDigest({ image: `${prod}@${old}`, isPinnedByPawl: true }),
      tracks: ["digest"],
      pinned: "rollback",
    },
    {
      when: "nothing if the image is pinned manually",
      initial: trackedByDigest({ source: prod, image: `registry.example/shop/app@${old}` }, { containers: [] }),
      tracks: [],
      pinned: "manual",
    },
    { when: "nothing for a Claw without an image", initial: claw({ source: null }), tracks: [], pinned: null },
  ])("that it tracks $when", ({ initial, tracks, pinned }) => {
    expect(statusOf(initial, noon)).toMatchObject({ tracks, pinned });
  });

  test("complete digests, and a reverted one", () => {
    const reverted = { since: noon, digests: { app: now } };
    expect(statusOf(trackedByDigest({}, { reverted }), noon)).toMatchObject({
      digests: { app: old },
      reverted: { since: "2026-11-20T12:00:00Z", digests: { app: now } },
    });
    expect(statusOf(workload(), noon)).toMatchObject({ digests: null, reverted: null });
  });
});

describe("the plan shows", () => {
  const restart = { kind: "update", target: { kind: "digest", image: prod, digest: now } } as const;
  const restarting: InFlight = { ...inFlight, target: restart.target, previousImage: null, phase: "restart" };
  const held: Decision = {
    kind: "hold",
    reason: "reverted-digest",
    detail: "the tag moved back",
    target: null,
  };

  test.for<{ when: string; initial: ReturnType<typeof workload>; decision: Decision; planned: object }>([
    {
      when: "that a digest has changed",
      initial: trackedByDigest(),
      decision: restart,
      planned: {
        current: `prod@${old}`,
        candidate: `prod@${now}`,
        state: "Behind",
        reason: "RestartDue",
        message: expect.stringMatching(/: the tag resolves to another digest$/),
      },
    },
    {
      when: "that tracking by digest starts",
      initial: trackedByDigest({}, { deployed: {} }),
      decision: restart,
      planned: { current: "prod", message: expect.stringMatching(/: it is now tracked by digest$/) },
    },
    {
      when: "a restart in flight",
      initial: updatingWorkload({
        image: prod,
        inFlight: restarting,
        digests: tracking({ deployed: { app: now }, previous: [{ app: old }] }),
      }),
      decision: { kind: "adopt", inFlight: restarting },
      planned: { current: `prod@${old}`, candidate: `prod@${now}`, state: "Updating", reason: "Restarting" },
    },
    {
      when: "a restart in flight without a recorded digest",
      initial: updatingWorkload({ image: prod, inFlight: restarting, digests: null }),
      decision: { kind: "adopt", inFlight: restarting },
      planned: { current: "prod", candidate: `prod@${now}` },
    },
    {
      when: "a hold",
      initial: trackedByDigest(),
      decision: held,
      planned: { state: "Waiting", reason: "DigestReverted", message: held.detail },
    },
  ])("$when", ({ initial, decision, planned }) => {
    expect(planWorkload({ workload: initial, decision, action: "none" }, noon)).toMatchObject(planned);
  });
});
