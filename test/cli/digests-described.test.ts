import { describe, expect, test } from "vitest";
import { plannedWorkload } from "../../cli/workloads/planned.ts";
import { statusOf } from "../../cli/workloads/status.ts";
import { runningVersion } from "../../cli/workloads/versions.ts";
import type { Decision } from "../../functions/domain/decision.ts";
import type { DigestTracking } from "../../functions/domain/tracking.ts";
import type { InFlight } from "../../functions/domain/workload.ts";
import { claw, inFlight, noon, updating, workload, type WorkloadParts } from "../support/workloads.ts";

const [old, now] = ["0a", "0b"].map((pair) => `sha256:${pair.repeat(32)}`) as [string, string];
const prod = "registry.example/shop/app:prod";

function tracking(parts: Partial<DigestTracking> = {}): DigestTracking {
  const containers = [{ name: "app", image: prod }];
  return {
    containers,
    last: { app: old },
    former: [],
    returning: null,
    firstSight: "restart",
    isHeldBack: false,
    ...parts,
  };
}

function followed(parts: WorkloadParts = {}, own: Partial<DigestTracking> = {}) {
  return workload({ image: prod, source: null, digests: tracking(own), ...parts });
}

const proxy = { name: "proxy", image: "registry.example/proxy:stable" };

describe("what runs is", () => {
  test.for([
    { when: "followed by digest", of: followed(), runs: `prod@${old}` },
    { when: "seen for the first time", of: followed({}, { last: {} }), runs: "prod" },
    {
      when: "without a tag",
      of: followed(
        { image: "registry.example/shop/app" },
        { containers: [{ name: "app", image: "registry.example/shop/app" }] },
      ),
      runs: `latest@${old}`,
    },
    {
      when: "another container than its first",
      of: followed({}, { containers: [proxy], last: { proxy: old } }),
      runs: `stable@${old}`,
    },
    {
      when: "followed by tag, and a sidecar by digest",
      of: followed({ source: prod }, { containers: [proxy], last: { proxy: old } }),
      runs: "prod",
    },
    {
      when: "pinned by a rollback",
      of: followed({ image: `${prod}@${old}`, isPinned: true }, { last: { app: now } }),
      runs: `prod@${old}`,
    },
    { when: "pinned by hand, tag and digest", of: workload({ image: `${prod}@${old}` }), runs: `prod@${old}` },
  ])("told in full where it is $when", ({ of, runs }) => {
    expect(runningVersion(of)).toBe(runs);
  });
});

describe("a status tells", () => {
  test.for([
    { when: "its tag", of: workload(), follows: ["tag"], pinned: null },
    { when: "a digest", of: followed(), follows: ["digest"], pinned: null },
    { when: "both", of: followed({ source: prod }), follows: ["tag", "digest"], pinned: null },
    {
      when: "a digest that a rollback has pinned",
      of: followed({ image: `${prod}@${old}`, isPinned: true }),
      follows: ["digest"],
      pinned: "rollback",
    },
    {
      when: "nothing of what is pinned by hand",
      of: followed({ source: prod, image: `${prod}@${old}` }, { containers: [] }),
      follows: [],
      pinned: "hand",
    },
    { when: "nothing of a Claw without an image", of: claw({ source: null }), follows: [], pinned: null },
  ])("that it follows $when", ({ of, follows, pinned }) => {
    expect(statusOf(of)).toMatchObject({ follows, pinned });
  });

  test("digests in full, and one that comes back", () => {
    const returning = { since: noon, digests: { app: now } };
    expect(statusOf(followed({}, { returning }))).toMatchObject({
      digests: { app: old },
      returning: { since: "2026-11-20T12:00:00Z", digests: { app: now } },
    });
    expect(statusOf(workload())).toMatchObject({ digests: null, returning: null });
  });
});

describe("a plan tells", () => {
  const restart = { kind: "update", version: `prod@${now}`, image: `${prod}@${now}`, restart: true } as const;
  const restarting: InFlight = { ...inFlight, targetImage: `${prod}@${now}`, previousImage: null, phase: "restart" };
  const held: Decision = {
    kind: "hold",
    reason: "returning-digest",
    detail: "it stood before",
    version: null,
    image: null,
  };

  test.for<{ when: string; of: ReturnType<typeof workload>; decision: Decision; planned: object }>([
    {
      when: "that a digest has changed",
      of: followed(),
      decision: restart,
      planned: {
        current: `prod@${old}`,
        candidate: `prod@${now}`,
        decision: "restart",
        reason: "another digest stands behind the tag",
        hold: null,
      },
    },
    {
      when: "of a first sight",
      of: followed({}, { last: {} }),
      decision: restart,
      planned: { current: "prod", decision: "restart", reason: "it is followed by digest from now on" },
    },
    {
      when: "of a restart in flight",
      of: updating({
        image: prod,
        inFlight: restarting,
        digests: tracking({ last: { app: now }, former: [{ app: old }] }),
      }),
      decision: { kind: "adopt", inFlight: restarting },
      planned: { current: `prod@${old}`, candidate: `prod@${now}`, decision: "in-flight" },
    },
    {
      when: "of a restart in flight before which nothing was recorded",
      of: updating({ image: prod, inFlight: restarting, digests: null }),
      decision: { kind: "adopt", inFlight: restarting },
      planned: { current: "prod", candidate: `prod@${now}` },
    },
    { when: "of a hold", of: followed(), decision: held, planned: { hold: "returning-digest", reason: held.detail } },
  ])("$when", ({ of, decision, planned }) => {
    expect(plannedWorkload({ workload: of, decision, act: "none" })).toMatchObject(planned);
  });
});
