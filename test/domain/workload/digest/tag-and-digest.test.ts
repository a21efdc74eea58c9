import { describe, expect, test } from "vitest";
import { type Decision, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { plannedContainers, decideByDigest } from "../../../../functions/domain/workload/digest/decide-by-digest.ts";
import {
  digest,
  tagAndDigestWorkload,
  type DigestWorkloadParts,
  observedDigests,
} from "../../../support/digest-workloads.ts";
import { image, noon, target, workload, updateTarget, imageTarget } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const nothingNewer = hold("no-newer-version", "1.0.0 is the highest");
const heldByTag = hold("manual-change", "1.0.0 was set manually");
const updateByTag: Decision = { kind: "update", target: updateTarget };

describe("a workload tracked by tag and digest", () => {
  const decideBoth = (byTag: Decision | null, now: number, parts: DigestWorkloadParts = {}) =>
    decideByDigest(tagAndDigestWorkload(parts), byTag, observedDigests({ app: digest(now) }), noon);
  const problem: Decision = { kind: "problem", problems: problemsOf("the constraint is invalid") };
  const open = { updateRecord: { circuitOpen: true } };
  const openByTag = { ...hold("circuit-open", "1.1.0 is available"), target: updateTarget };

  test("applies the highest tag first, together with its digest", () => {
    expect(decideBoth(updateByTag, 2)).toEqual({
      ...updateByTag,
      digests: { app: digest(2) },
      manifests: { app: [digest(2)] },
    });
  });

  test("keeps the decision by tag if no digest changed", () => {
    expect(decideBoth(nothingNewer, 1)).toEqual(nothingNewer);
    expect(decideBoth(problem, 2)).toEqual(problem);
  });

  test("keeps the decision by tag if the digest must not be applied", () => {
    const movedBack = { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] };
    expect(decideBoth(heldByTag, 1, { digests: movedBack })).toEqual({
      ...heldByTag,
      digests: { reverted: { app: digest(1) } },
    });
    const failed = { updateRecord: { failedVersions: [`1.0.0@${digest(2)}`] } };
    expect(decideBoth(heldByTag, 2, failed)).toEqual(heldByTag);
  });

  test("is not up to date if its tag is, and its digest is not applied", () => {
    const movedBack = { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] };
    expect(decideBoth(nothingNewer, 1, { digests: movedBack })).toMatchObject({ reason: "reverted-digest" });
    const failed = { updateRecord: { failedVersions: [`1.0.0@${digest(2)}`] } };
    expect(decideBoth(nothingNewer, 2, failed)).toMatchObject({ reason: "newer-failed" });
  });

  test("holds both while the circuit is open, and names the tag first", () => {
    expect(decideBoth(openByTag, 2, open)).toEqual(openByTag);
    expect(decideBoth(nothingNewer, 2, open)).toMatchObject({
      reason: "circuit-open",
      target: { kind: "digest", image, digest: digest(2) },
    });
  });

  test("decides by tag if no digest is tracked", () => {
    expect(decideByDigest(workload(), updateByTag, observedDigests({}), noon)).toBe(updateByTag);
    expect(decideByDigest(workload(), null, observedDigests({}), noon)).toMatchObject({
      kind: "hold",
      reason: "disabled",
    });
  });
});

describe("containersAfter", () => {
  const containers = [
    { name: "app", image },
    { name: "again", image: `registry.example/shop/app:1.0.0` },
    { name: "side", image: "side:3.0" },
  ];
  const images = (parts: DigestWorkloadParts, decision: Decision | null) =>
    plannedContainers(tagAndDigestWorkload({ ...parts, digests: { containers, ...parts.digests } }), decision).map(
      (one) => one.image,
    );

  test("also if it is pinned by Pawl or spelled differently", () => {
    expect(images({ image: `${image}@${digest(1)}` }, updateByTag)).toEqual([target, target, "side:3.0"]);
    const spelled = [
      { name: "a", image: "nginx:1.0" },
      { name: "b", image: "docker.io/library/nginx:1.0" },
    ];
    const update: Decision = { ...updateByTag, target: imageTarget("nginx:1.1.0") };
    expect(images({ image: "nginx:1.0", digests: { containers: spelled } }, update)).toEqual([
      "nginx:1.1.0",
      "nginx:1.1.0",
    ]);
  });

  test("excludes a container that is not tracked", () => {
    const excluded = [
      { name: "app", image },
      { name: "again", image, excludedFromTagUpdates: true as const },
    ];
    expect(images({ digests: { containers: excluded } }, updateByTag)).toEqual([target, image]);
  });

  test("updates none without an update, and returns none if none is tracked", () => {
    expect(images({}, nothingNewer)).toEqual(containers.map((one) => one.image));
    expect(images({}, null)).toEqual(containers.map((one) => one.image));
    expect(plannedContainers(workload(), updateByTag)).toEqual([]);
    expect(images({ image: null }, updateByTag)).toEqual(containers.map((one) => one.image));
  });
});
