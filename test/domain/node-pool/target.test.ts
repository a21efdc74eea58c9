import { describe, expect, test } from "vitest";
import {
  isResolutionDue,
  nextTarget,
  parseOsImage,
  pinned,
  targetImage,
} from "../../../functions/domain/node-pool/target.ts";
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

  test("a moved tag is a new target", () => {
    const answer = { kind: "resolved", ref: tag, digest: digestB } as const;
    const target = { targetDigest: digestB, targetRef: tag, nextTagResolution: after(5), tagProblem: null };
    expect(nextTarget(byTag, answer, noon, 300)).toEqual(target);
  });

  test("a failure keeps the former target, and is asked again after the interval", () => {
    const target = nextTarget(byTag, { kind: "failed", ref: tag, reason: "502" }, after(7), 300);
    expect(target).toEqual({ ...resolved, nextTagResolution: after(12), tagProblem: "502" });
  });

  test.for([
    { kind: "resolved", ref: `${tag}-2`, digest: digestB },
    { kind: "failed", ref: `${tag}-2`, reason: "502" },
  ] as const)("what it said of another reference changes nothing: $kind", (answer) => {
    expect(nextTarget(byTag, answer, noon, 300)).toEqual({ ...resolved, tagProblem: null });
  });

  test("where it was not asked, nothing changes", () => {
    expect(nextTarget(byTag, null, noon, 300)).toEqual({ ...resolved, tagProblem: null });
  });

  test("a digest is its own target, and clears the timer and the problem", () => {
    const pinnedPool = pool({ imageRef: imageB }, { status: { ...resolved, tagProblem: "502" } });
    const target = { targetDigest: digestB, targetRef: imageB, nextTagResolution: null, tagProblem: null };
    expect(nextTarget(pinnedPool, null, noon, 300)).toEqual(target);
  });
});
