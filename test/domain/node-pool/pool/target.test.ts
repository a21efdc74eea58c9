import { describe, expect, test } from "vitest";
import {
  withTarget,
  isResolutionDue,
  parseOsImage,
  pinPoolImage,
  type Resolution,
  computeTargetImage,
} from "../../../../functions/domain/node-pool/pool/target.ts";
import type { NodePool, NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { after, noon } from "../../../support/workloads.ts";
import { digestA, digestB, imageA, imageB, pool } from "../pools.ts";

const tag = "quay.io/example/myos:latest";
const resolved = { targetDigest: digestA, targetRef: tag, nextTagResolution: after(5) };

describe("an OS image reference", () => {
  test.for([
    { ref: imageA, digest: digestA },
    { ref: `quay.io/example/myos:9@${digestA}`, digest: digestA },
    { ref: tag, digest: null },
    { ref: "quay.io/example/myos", digest: null },
    { ref: "docker.io/library/myos:1", digest: null },
    { ref: "localhost:5000/myos:1", digest: null },
  ])("$ref", ({ ref, digest }) => {
    expect(parseOsImage(ref)).toEqual({ kind: "image", digest });
  });

  test.for(["myos:latest", "example/myos:1", "docker.io/myos:1", "", "quay.io/Bad:1", "quay.io/a:b c"])(
    '"%s" is invalid',
    (ref) => {
      expect(parseOsImage(ref)).toMatchObject({ kind: "invalid" });
    },
  );
});

test.for([
  { when: "by digest", imageRef: imageA, status: {}, image: imageA },
  { when: "by tag and digest", imageRef: `quay.io/example/myos:9@${digestA}`, status: {}, image: imageA },
  { when: "by tag, resolved", imageRef: tag, status: resolved, image: imageA },
  { when: "by tag, never resolved", imageRef: tag, status: { targetDigest: null }, image: null },
  {
    when: "by tag, with a status of bootc-operator",
    imageRef: tag,
    status: { targetRef: null },
    image: imageB,
  },
  {
    when: "by a tag of another repository than the status names: not resolved yet, or forged",
    imageRef: "quay.io/else/myos:1",
    status: resolved,
    image: null,
  },
])("the target $when: $image", ({ imageRef, status, image }) => {
  expect(computeTargetImage(pool({ imageRef }, { status }))).toBe(image);
});

test("an invalid reference is pinned unchanged", () => {
  expect(pinPoolImage("no image", digestA)).toBe(`no image@${digestA}`);
});

test.for([
  { when: "by digest", imageRef: imageA, status: {}, due: false },
  { when: "never resolved", imageRef: tag, status: { nextTagResolution: null }, due: true },
  { when: "before the interval has passed", imageRef: tag, status: resolved, minutes: 4, due: false },
  { when: "after the interval", imageRef: tag, status: resolved, minutes: 5, due: true },
  { when: "with a new tag", imageRef: `${tag}-2`, status: { ...resolved, observedGeneration: 0 }, due: true },
  { when: "with a new tag that an execution has observed", imageRef: `${tag}-2`, status: resolved, due: true },
  {
    when: "with a new tag that failed before",
    imageRef: `${tag}-2`,
    status: { ...resolved, tagProblem: "404" },
    due: false,
  },
])("resolution due $when: $due", ({ imageRef, status, minutes = 0, due }) => {
  expect(isResolutionDue(pool({ imageRef }, { status }), after(minutes))).toBe(due);
});

describe("after a resolution", () => {
  const byTag = pool({ imageRef: tag }, { status: resolved });
  const aged = pool(
    { imageRef: tag, gatePolicy: { minimumReleaseAgeSeconds: 60 } },
    { status: { ...resolved, targetSince: after(-9) } },
  );
  const byDigest = pool({ imageRef: imageB }, { status: { ...resolved, tagProblem: "502" } });
  const resolutions = {
    moved: { kind: "resolved", ref: tag, digest: digestB },
    failed: { kind: "failed", ref: tag, reason: "502" },
    otherReference: { kind: "resolved", ref: `${tag}-2`, digest: digestB },
    failedOtherReference: { kind: "failed", ref: `${tag}-2`, reason: "502" },
  } as const satisfies Record<string, Resolution>;

  test.for<{
    when: string;
    before?: NodePool;
    resolution: Resolution | null;
    minutes?: number;
    target: Partial<NodePoolStatus>;
  }>([
    {
      when: "with a minimum age, a moved tag exists since now",
      before: aged,
      resolution: resolutions.moved,
      target: { targetDigest: digestB, targetSince: noon, targetRef: tag, nextTagResolution: after(3.75) },
    },
    {
      when: "with a minimum age, a moved tag exists since the registry received it",
      before: aged,
      resolution: { ...resolutions.moved, pushedAt: "2026-11-01T00:00:00Z" },
      target: {
        targetDigest: digestB,
        targetSince: new Date("2026-11-01T00:00:00Z"),
        targetRef: tag,
        nextTagResolution: after(3.75),
      },
    },
    {
      when: "with a minimum age, the same digest exists since it was first seen",
      before: aged,
      resolution: { ...resolutions.moved, digest: digestA },
      target: { targetSince: after(-9), targetRef: tag, nextTagResolution: after(3.75) },
    },
    {
      when: "a failure keeps the previous target, and is retried after the interval",
      resolution: resolutions.failed,
      minutes: 7,
      target: { ...resolved, nextTagResolution: after(10.75), tagProblem: "502" },
    },
    {
      when: "a resolved tag clears a previous problem",
      before: pool({ imageRef: tag }, { status: { ...resolved, tagProblem: "502" } }),
      resolution: resolutions.moved,
      target: { targetDigest: digestB, targetRef: tag, nextTagResolution: after(3.75), tagProblem: null },
    },
    { when: "without a resolution nothing changes", resolution: null, target: { ...resolved, tagProblem: null } },
    {
      when: "a digest is its own target despite the resolution of a tag",
      before: byDigest,
      resolution: resolutions.otherReference,
      target: { targetDigest: digestB, targetRef: imageB, nextTagResolution: null, tagProblem: null },
    },
  ])("$when, and the rest of the pool stays", ({ before = byTag, resolution, minutes = 0, target }) => {
    expect(withTarget(before, resolution, after(minutes), 300)).toEqual({
      ...before,
      status: { ...before.status, ...target },
    });
  });
});

describe("a tag is due shortly before its interval ends", () => {
  const digest = { kind: "resolved", ref: tag, digest: digestB } as const;

  test.for([
    { interval: 1, seconds: 1 },
    { interval: 3, seconds: 3 },
    { interval: 60, seconds: 45 },
    { interval: 300, seconds: 225 },
    { interval: 1440, seconds: 1080 },
    { interval: 3600, seconds: 3240 },
    { interval: 604_800, seconds: 604_440 },
  ])("interval of $interval s: after $seconds s", ({ interval, seconds }) => {
    const { status } = withTarget(pool({ imageRef: tag }), digest, noon, interval);
    expect(status.nextTagResolution).toEqual(after(seconds / 60));
  });

  /** Every other poll starts late by a fifth of its interval, at most five minutes. A write follows after ten seconds. */
  test.for([
    { every: 60, interval: 300, resolved: 15 },
    { every: 150, interval: 300, resolved: 30 },
    { every: 300, interval: 300, resolved: 60 },
    { every: 600, interval: 300, resolved: 60 },
    { every: 3600, interval: 3600, resolved: 60 },
    { every: 300, interval: 3600, resolved: 5 },
  ])(
    "polled every $every s, with an interval of $interval s: of 60 polls $resolved resolve",
    ({ every, interval, resolved: expected }) => {
      const late = Math.min(every / 5, 300);
      let current = pool({ imageRef: tag }, { status: { targetRef: tag } });
      let count = 0;
      for (let turn = 0; turn < 60; turn += 1) {
        const seconds = turn * every + (turn % 2 === 0 ? late : 0);
        if (!isResolutionDue(current, after(seconds / 60))) continue;
        count += 1;
        current = withTarget(current, digest, after((seconds + 10) / 60), interval);
      }
      expect(count).toBe(expected);
    },
  );
});
