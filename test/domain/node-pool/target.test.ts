import { describe, expect, test } from "vitest";
import {
  aimed,
  isResolutionDue,
  parseOsImage,
  pinned,
  type Resolution,
  targetImage,
} from "../../../functions/domain/node-pool/target.ts";
import type { NodePool, NodePoolStatus } from "../../../functions/domain/node-pool/types.ts";
import { after, noon } from "../../support/workloads.ts";
import { digestA, digestB, imageA, imageB, pool } from "./pools.ts";

const tag = "quay.io/example/myos:latest";
const resolved = { targetDigest: digestA, targetRef: tag, nextTagResolution: after(5) };

describe("a reference of an OS image", () => {
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
    '"%s" is none',
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
    when: "by tag, whose status was written by bootc-operator",
    imageRef: tag,
    status: { targetRef: null },
    image: imageB,
  },
  {
    when: "of another repository that is not resolved yet",
    imageRef: "quay.io/else/myos:1",
    status: resolved,
    image: imageA,
  },
])("the target $when: $image", ({ imageRef, status, image }) => {
  expect(targetImage(pool({ imageRef }, { status }))).toBe(image);
});

test("what cannot be read is pinned as it stands", () => {
  expect(pinned("no image", digestA)).toBe(`no image@${digestA}`);
});

test.for([
  { when: "by digest", imageRef: imageA, status: {}, due: false },
  { when: "never resolved", imageRef: tag, status: { nextTagResolution: null }, due: true },
  { when: "before its time", imageRef: tag, status: resolved, minutes: 4, due: false },
  { when: "at its time", imageRef: tag, status: resolved, minutes: 5, due: true },
  { when: "with a new tag", imageRef: `${tag}-2`, status: { ...resolved, observedGeneration: 0 }, due: true },
  { when: "with a new tag that a rollout has seen first", imageRef: `${tag}-2`, status: resolved, due: true },
  {
    when: "with a new tag that failed before",
    imageRef: `${tag}-2`,
    status: { ...resolved, tagProblem: "404" },
    due: false,
  },
  {
    when: "with something else that is new",
    imageRef: tag,
    status: { ...resolved, observedGeneration: 0 },
    due: false,
  },
])("a registry is asked, $when: $due", ({ imageRef, status, minutes = 0, due }) => {
  expect(isResolutionDue(pool({ imageRef }, { status }), after(minutes))).toBe(due);
});

describe("after a registry was asked", () => {
  const byTag = pool({ imageRef: tag }, { status: resolved });
  const byDigest = pool({ imageRef: imageB }, { status: { ...resolved, tagProblem: "502" } });
  const answers = {
    moved: { kind: "resolved", ref: tag, digest: digestB },
    failed: { kind: "failed", ref: tag, reason: "502" },
    elsewhere: { kind: "resolved", ref: `${tag}-2`, digest: digestB },
    failedElsewhere: { kind: "failed", ref: `${tag}-2`, reason: "502" },
  } as const satisfies Record<string, Resolution>;

  test.for<{
    what: string;
    of?: NodePool;
    answer: Resolution | null;
    minutes?: number;
    target: Partial<NodePoolStatus>;
  }>([
    {
      what: "a moved tag is a new target",
      answer: answers.moved,
      target: { targetDigest: digestB, targetRef: tag, nextTagResolution: after(3.75), tagProblem: null },
    },
    {
      what: "a failure keeps the former target, and is asked again after the interval",
      answer: answers.failed,
      minutes: 7,
      target: { ...resolved, nextTagResolution: after(10.75), tagProblem: "502" },
    },
    {
      what: "a tag that failed before and is found clears the problem",
      of: pool({ imageRef: tag }, { status: { ...resolved, tagProblem: "502" } }),
      answer: answers.moved,
      target: { targetDigest: digestB, targetRef: tag, nextTagResolution: after(3.75), tagProblem: null },
    },
    {
      what: "what was found of another reference changes nothing",
      answer: answers.elsewhere,
      target: { ...resolved, tagProblem: null },
    },
    {
      what: "what failed of another reference changes nothing",
      answer: answers.failedElsewhere,
      target: { ...resolved, tagProblem: null },
    },
    { what: "where it was not asked, nothing changes", answer: null, target: { ...resolved, tagProblem: null } },
    {
      what: "a digest is its own target, and clears the timer and the problem",
      of: byDigest,
      answer: null,
      target: { targetDigest: digestB, targetRef: imageB, nextTagResolution: null, tagProblem: null },
    },
    {
      what: "a digest is its own target, whatever was found of a tag",
      of: byDigest,
      answer: answers.elsewhere,
      target: { targetDigest: digestB, targetRef: imageB, nextTagResolution: null, tagProblem: null },
    },
  ])("$what, and all else of the pool stays", ({ of = byTag, answer, minutes = 0, target }) => {
    expect(aimed(of, answer, after(minutes), 300)).toEqual({ ...of, status: { ...of.status, ...target } });
  });
});

describe("a tag is due somewhat before its interval is over", () => {
  const digest = { kind: "resolved", ref: tag, digest: digestB } as const;

  test.for([
    { interval: 1, seconds: 1 },
    { interval: 3, seconds: 3 },
    { interval: 60, seconds: 45 },
    { interval: 300, seconds: 225 },
    { interval: 1440, seconds: 1080 },
    { interval: 3600, seconds: 3240 },
    { interval: 604_800, seconds: 604_440 },
  ])("of $interval s after $seconds", ({ interval, seconds }) => {
    const { status } = aimed(pool({ imageRef: tag }), digest, noon, interval);
    expect(status.nextTagResolution).toEqual(after(seconds / 60));
  });

  /** Each poll begins up to a fifth of its interval late, at most five minutes, and writes what it found ten seconds later. */
  test.for([
    { every: 60, interval: 300, asked: 15 },
    { every: 150, interval: 300, asked: 30 },
    { every: 300, interval: 300, asked: 60 },
    { every: 600, interval: 300, asked: 60 },
    { every: 3600, interval: 3600, asked: 60 },
    { every: 300, interval: 3600, asked: 5 },
  ])("polled every $every s, with an interval of $interval s: of 60 polls $asked ask", ({ every, interval, asked }) => {
    const late = Math.min(every / 5, 300);
    let standing = pool({ imageRef: tag }, { status: { targetRef: tag } });
    let count = 0;
    for (let turn = 0; turn < 60; turn += 1) {
      const seconds = turn * every + (turn % 2 === 0 ? late : 0);
      if (!isResolutionDue(standing, after(seconds / 60))) continue;
      count += 1;
      standing = aimed(standing, digest, after((seconds + 10) / 60), interval);
    }
    expect(count).toBe(asked);
  });
});
