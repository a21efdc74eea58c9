import { describe, expect, test } from "vitest";
import { type Decision, hold } from "../../functions/domain/decision.ts";
import { containersAfter, decideByDigest } from "../../functions/domain/digest-decision.ts";
import { digest, followedBoth, type FollowedParts, seen } from "../support/followed.ts";
import { image, noon, target, workload } from "../support/workloads.ts";

const nothingNewer = hold("no-newer-version", "1.0.0 is the highest");
const byTag: Decision = { kind: "update", version: "1.1.0", image: target };

describe("followed by tag too", () => {
  const decideBoth = (tagSays: Decision | null, now: number, parts: FollowedParts = {}) =>
    decideByDigest(followedBoth(parts), tagSays, seen({ app: digest(now) }), noon);
  const adopting: Decision = { kind: "problem", problems: ["the constraint cannot be read"] };
  const open = { bookkeeping: { circuitOpen: true } };
  const openByTag = { ...hold("circuit-open", "1.1.0 is available"), version: "1.1.0", image: target };

  test("the highest tag goes first, and what stands behind it is known with it", () => {
    expect(decideBoth(byTag, 2)).toEqual({ ...byTag, digests: { app: digest(2) } });
  });

  test("then its digest", () => {
    expect(decideBoth(nothingNewer, 2)).toMatchObject({ kind: "update", restart: true, version: `1.0.0@${digest(2)}` });
  });

  test("what the tags say stands where no digest has changed", () => {
    expect(decideBoth(nothingNewer, 1)).toEqual(nothingNewer);
    expect(decideBoth(adopting, 2)).toEqual(adopting);
  });

  test("what the tags say stands where the digest is not to be tried, too", () => {
    const back = { last: { app: digest(2) }, former: [{ app: digest(1) }] };
    expect(decideBoth(nothingNewer, 1, { digests: back })).toEqual({
      ...nothingNewer,
      digests: { returning: { app: digest(1) } },
    });
    const failed = { bookkeeping: { failedVersions: [`1.0.0@${digest(2)}`] } };
    expect(decideBoth(nothingNewer, 2, failed)).toEqual(nothingNewer);
  });

  test("an open circuit holds both, and names the tag first", () => {
    expect(decideBoth(openByTag, 2, open)).toEqual(openByTag);
    expect(decideBoth(nothingNewer, 2, open)).toMatchObject({ reason: "circuit-open", version: `1.0.0@${digest(2)}` });
  });

  test("where no digest is followed the tags decide", () => {
    expect(decideByDigest(workload(), byTag, seen({}), noon)).toBe(byTag);
    expect(decideByDigest(workload(), null, seen({}), noon)).toMatchObject({ kind: "hold", reason: "disabled" });
  });
});

describe("containersAfter", () => {
  const containers = [
    { name: "app", image },
    { name: "again", image: `registry.example/shop/app:1.0.0` },
    { name: "side", image: "side:3.0" },
  ];
  const images = (parts: FollowedParts, decision: Decision | null) =>
    containersAfter(followedBoth({ ...parts, digests: { containers, ...parts.digests } }), decision).map(
      (one) => one.image,
    );

  test("all that run the image move with the tag", () => {
    expect(images({}, byTag)).toEqual([target, target, "side:3.0"]);
  });

  test("also where it is pinned by Pawl, or spelled otherwise", () => {
    expect(images({ image: `${image}@${digest(1)}` }, byTag)).toEqual([target, target, "side:3.0"]);
    const spelled = [
      { name: "a", image: "nginx:1.0" },
      { name: "b", image: "docker.io/library/nginx:1.0" },
    ];
    const update: Decision = { ...byTag, image: "nginx:1.1.0" };
    expect(images({ image: "nginx:1.0", digests: { containers: spelled } }, update)).toEqual([
      "nginx:1.1.0",
      "nginx:1.1.0",
    ]);
  });

  test("one that its owner did not name stays", () => {
    const stays = [
      { name: "app", image },
      { name: "again", image, stays: true as const },
    ];
    expect(images({ digests: { containers: stays } }, byTag)).toEqual([target, image]);
  });

  test("without an update none moves, and where none is followed there are none", () => {
    expect(images({}, nothingNewer)).toEqual(containers.map((one) => one.image));
    expect(images({}, null)).toEqual(containers.map((one) => one.image));
    expect(containersAfter(workload(), byTag)).toEqual([]);
    expect(images({ image: null }, byTag)).toEqual(containers.map((one) => one.image));
  });
});
