import { describe, expect, test } from "vitest";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import {
  recordReapplied,
  recordReplaced,
  startedAgain,
  versionToReapply,
} from "../../../../functions/domain/workload/owner/reverts.ts";
import type { Reapplied, Reverts } from "../../../../functions/domain/workload/owner/set-back.ts";
import { decide } from "../../../support/workloads/decide.ts";
import {
  after,
  image,
  imageTarget,
  inFlight,
  noon,
  ownRecord,
  target,
  workload,
  type WorkloadParts,
} from "../../../support/workloads.ts";

const tags = ["1.0.0", "1.1.0"];
const digest = `@sha256:${"a".repeat(64)}`;
const finished: Reverts = { version: "1.1.0", replaced: [image], reapplied: [] };

/** 1.1.0 was healthy, and its owner has set back 1.0.0. */
function setBack({ policy, updateRecord, ...parts }: WorkloadParts = {}) {
  return workload({
    ...parts,
    policy: { onRevert: "reapply", ...policy },
    updateRecord: { currentVersion: "1.1.0", reverts: finished, ...updateRecord },
  });
}

function reapplied(version: string, minutes: number): Reapplied {
  return { version, image, at: after(minutes) };
}

interface Case {
  readonly when: string;
  readonly parts: WorkloadParts;
  readonly tags?: readonly string[];
  readonly expected: string;
}

const again = `update to ${target}`;
const stays = "hold: manual-change";

const cases: readonly Case[] = [
  { when: "its policy allows it", parts: {}, expected: again },
  {
    when: "an earlier update had replaced the image",
    parts: { updateRecord: { reverts: { ...finished, replaced: [image, "registry.example/shop/app:1.0.5"] } } },
    expected: again,
  },
  { when: "a webhook adds a digest to what is set back", parts: { image: `${image}${digest}` }, expected: again },
  {
    when: "another version was applied again an hour ago",
    parts: { updateRecord: { reverts: { ...finished, reapplied: [reapplied("1.0.5", -60)] } } },
    expected: again,
  },
  {
    when: "a newer version failed since",
    parts: { updateRecord: { failedVersions: ["1.2.0"] } },
    tags: [...tags, "1.2.0"],
    expected: again,
  },
  {
    when: "a newer version exists",
    parts: {},
    tags: [...tags, "1.2.0"],
    expected: "update to registry.example/shop/app:1.2.0",
  },
  { when: "its policy is hold", parts: { policy: { onRevert: undefined } as never }, expected: stays },
  {
    when: "no update of such a policy was finished",
    parts: { updateRecord: { reverts: undefined } as never },
    expected: stays,
  },
  {
    when: "Pawl never replaced the image that is set",
    parts: { image: "registry.example/shop/app:0.9.0" },
    expected: stays,
  },
  {
    when: "the image is one of another repository",
    parts: { updateRecord: { reverts: { ...finished, replaced: ["other.example/app:1.0.0"] } } },
    expected: stays,
  },
  {
    when: "another digest of the tag is set",
    parts: {
      image: `${image}@sha256:${"b".repeat(64)}`,
      updateRecord: { reverts: { ...finished, replaced: [`${image}${digest}`] } },
    },
    expected: stays,
  },
  {
    when: "its owner has set a higher version in between",
    parts: { updateRecord: { currentVersion: "1.3.0" } },
    expected: stays,
  },
  {
    when: "a person pushed a lower version in between",
    parts: { updateRecord: { minimumVersion: "1.2.0" } },
    expected: stays,
  },
  {
    when: "the version was applied again before",
    parts: { updateRecord: { reverts: { ...finished, reapplied: [reapplied("1.1.0", -600)] } } },
    expected: stays,
  },
  {
    when: "another version was applied again within an hour",
    parts: { updateRecord: { reverts: { ...finished, reapplied: [reapplied("1.0.5", -59)] } } },
    expected: stays,
  },
  {
    when: "one was by a clock that is ahead",
    parts: { updateRecord: { reverts: { ...finished, reapplied: [reapplied("1.0.5", 600)] } } },
    expected: stays,
  },
  {
    when: "an earlier one of several was within an hour",
    parts: {
      updateRecord: { reverts: { ...finished, reapplied: [reapplied("1.0.6", -5), reapplied("1.0.5", -300)] } },
    },
    expected: stays,
  },
  { when: "the version is not published any more", parts: {}, tags: ["1.0.0"], expected: stays },
  { when: "the constraint excludes the version", parts: { policy: { versionConstraint: "~1.0.0" } }, expected: stays },
  { when: "the version has failed", parts: { updateRecord: { failedVersions: ["1.1.0"] } }, expected: stays },
  { when: "the circuit is open", parts: { updateRecord: { circuitOpen: true } }, expected: stays },
  { when: "it is suspended", parts: { policy: { paused: true } }, expected: "hold: paused" },
  { when: "it has a record of its own", parts: { record: ownRecord }, expected: stays },
  { when: "its version runs", parts: { image: target }, expected: "hold: no-newer-version" },
];

describe("an image that was set back", () => {
  test.for(cases)("$when: $expected", ({ parts, tags: listed = tags, expected }) => {
    const initial = setBack(parts);
    const decision = decide(initial, listed, noon);
    const verdict =
      decision.kind === "update"
        ? `update to ${decision.target.image}`
        : decision.kind === "hold"
          ? `hold: ${decision.reason}`
          : "";
    expect(verdict).toBe(expected);
    // The step that applies it decides the same.
    const failure = preconditionFailure(initial, { target: imageTarget(target), digests: null }, noon);
    const isAllowed = failure === null && decision.kind === "update" && decision.target.image === target;
    expect(isAllowed).toBe(expected === again);
  });

  test("without an image, nothing is applied again", () => {
    expect(versionToReapply(setBack({ image: null }), noon)).toBeNull();
  });

  test("a hold says that the version was applied again", () => {
    const held = setBack({ updateRecord: { reverts: { ...finished, reapplied: [reapplied("1.1.0", -600)] } } });
    expect(decide(held, tags, noon)).toMatchObject({
      detail:
        "1.0.0 was set manually instead of 1.1.0, which was applied again once, at 2026-11-20T02:00:00Z: held until a version newer than 1.1.0 appears",
    });
  });
});

describe("recordReapplied", () => {
  const update = imageTarget(target);
  const push = { verb: "push", argument: "1.1.0", token: "t-1" } as const;
  const entry = { version: "1.1.0", image, at: noon };

  test.for([
    { when: "the version is applied again", owner: "Flux", recorded: [{ ...entry, owner: "Flux" }] },
    { when: "nobody is known to own it", recorded: [entry] },
    { when: "another version is applied", applied: imageTarget("registry.example/shop/app:1.2.0") },
    { when: "it is restarted", applied: { kind: "restart", image: target, request: "t" } as const },
    { when: "a person pushes it", parts: { request: push } },
    { when: "nothing was set back", parts: { image: target } },
  ])("$when", ({ parts = {}, applied = update, owner, recorded }) => {
    expect(recordReapplied(setBack(parts), applied, owner, noon).reverts?.reapplied).toEqual(recorded);
  });

  test("keeps the newest 20", () => {
    const many = Array.from({ length: 20 }, (_, index) => reapplied(`0.${index}.0`, -1000));
    const full = setBack({ updateRecord: { reverts: { ...finished, reapplied: many } } });
    const { reverts } = recordReapplied(full, update, undefined, noon);
    expect(reverts?.reapplied).toEqual([...many.slice(1), entry]);
  });
});

describe("startedAgain", () => {
  const reverts = { ...finished, reapplied: [reapplied("1.1.0", 0)] };

  test.for([
    { when: "its claim records it", change: { inFlight, updateRecord: { reverts } }, expected: reverts.reapplied[0] },
    { when: "its claim recorded it before", own: { reverts }, change: { inFlight }, expected: reverts.reapplied[0] },
    {
      when: "the entry is of an earlier update",
      own: { reverts },
      change: { inFlight: { ...inFlight, startedAt: after(9) } },
    },
    {
      when: "its start is malformed",
      own: { reverts },
      change: { inFlight: { ...inFlight, startedAt: "malformed" as const } },
    },
    {
      when: "another version is applied",
      own: { reverts },
      change: { inFlight: { ...inFlight, target: imageTarget(image) } },
    },
    { when: "nothing was applied again", change: { inFlight } },
    { when: "nothing is claimed", own: { reverts }, change: {} },
  ])("$when", ({ own = {}, change, expected = null }) => {
    expect(startedAgain(workload({ updateRecord: own }), change)).toEqual(expected);
  });
});

describe("recordReplaced", () => {
  const older = "registry.example/shop/app:0.9.0";

  test.for([
    { when: "it is the first update", own: {}, replaced: [image] },
    { when: "the version is applied again", own: { reverts: finished }, replaced: [image] },
    {
      when: "somebody else set the image before",
      own: { reverts: { version: "0.9.5", replaced: [older], reapplied: [] } },
      replaced: [image],
    },
  ])("$when: $replaced", ({ own, replaced }) => {
    const { reverts } = recordReplaced(workload({ policy: { onRevert: "reapply" }, updateRecord: own }), inFlight);
    expect(reverts).toEqual({ version: "1.1.0", replaced, reapplied: [] });
  });

  test("keeps what was applied again, and the newest 20 images", () => {
    const images = Array.from({ length: 20 }, (_, index) => `registry.example/shop/app:0.${index}.0`);
    const own = { reverts: { version: "1.0.0", replaced: images, reapplied: [reapplied("1.0.0", -90)] } };
    const { reverts } = recordReplaced(workload({ policy: { onRevert: "reapply" }, updateRecord: own }), inFlight);
    expect(reverts).toEqual({ ...own.reverts, version: "1.1.0", replaced: [...images.slice(1), image] });
  });

  test.for([
    { when: "its policy is hold", parts: { policy: {} }, update: inFlight },
    { when: "it has a record of its own", parts: { record: ownRecord }, update: inFlight },
    {
      when: "it is a restart",
      parts: {},
      update: { ...inFlight, phase: "restart", target: { kind: "digest", image, digest: "sha256:1" } } as const,
    },
    { when: "no image was there before", parts: {}, update: { ...inFlight, previousImage: null } },
    {
      when: "it restored a release",
      parts: {},
      update: {
        ...inFlight,
        phase: "release",
        target: { kind: "release", image, number: 1 },
        release: { number: 1, from: 2, hash: "h", previousHash: "p" },
      } as never,
    },
  ])("records nothing if $when", ({ parts, update }) => {
    expect(recordReplaced(workload({ policy: { onRevert: "reapply" }, ...parts }), update)).toEqual({});
  });
});
