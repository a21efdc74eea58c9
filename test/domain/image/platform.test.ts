import { expect, test } from "vitest";
import { lostPlatforms, platformVerdict } from "../../../functions/domain/image/platform.ts";
import { digestsIn, platformsIn } from "../../../functions/domain/image/resolved-image.ts";

function index(...platforms: readonly (string | null)[]) {
  return { digest: "sha256:i", manifests: platforms.map((platform, at) => ({ digest: `sha256:${at}`, platform })) };
}

function nodes(architectures: readonly string[] | null, os: readonly string[] | null = null) {
  return { architectures, os };
}

const [amd64, arm64, windows] = ["linux/amd64", "linux/arm64", "windows/amd64"];
const published = { kind: "published" };

test.for([
  { of: "one image, whose manifest names no platform", has: [], on: undefined, verdict: published },
  { of: "an index of attestations only", has: [null], on: undefined, verdict: published },
  { of: "both common platforms", has: [amd64, arm64, null], on: undefined, verdict: published },
  { of: "one of them", has: [amd64], on: undefined, verdict: null },
  { of: "one of them, for nodes of any architecture", has: [amd64], on: nodes(null, ["linux"]), verdict: null },
  { of: "that of the nodes", has: [amd64], on: nodes(["amd64"]), verdict: published },
  {
    of: "another than that of the nodes",
    has: [amd64],
    on: nodes(["arm64"]),
    verdict: { kind: "missing", platforms: [arm64] },
  },
  { of: "one of two", has: [amd64], on: nodes(["amd64", "arm64"]), verdict: null },
  {
    of: "Linux, for nodes with Windows",
    has: [amd64],
    on: nodes(["amd64"], ["windows"]),
    verdict: { kind: "missing", platforms: [windows] },
  },
] as const)("an index of $of", ({ has, on, verdict }) => {
  expect(platformVerdict(index(...has), on)).toEqual(verdict);
});

test.for([
  { has: [amd64], runs: [amd64, arm64, "linux/s390x"], on: undefined, lost: [arm64, "linux/s390x"] },
  { has: [amd64], runs: [amd64], on: undefined, lost: [] },
  { has: [amd64], runs: [], on: undefined, lost: [] },
  { has: [amd64], runs: [amd64, arm64, "linux/s390x"], on: nodes(["amd64", "arm64"]), lost: [arm64] },
])("of $runs, $has lacks $lost", ({ has, runs, on, lost }) => {
  expect(lostPlatforms(index(...has), index(...runs), on)).toEqual(lost);
});

test("an index names each digest and platform once", () => {
  const twice = {
    digest: "sha256:i",
    manifests: [...index(amd64).manifests, ...index(amd64).manifests],
  };
  expect(digestsIn(twice)).toEqual(["sha256:i", "sha256:0"]);
  expect(platformsIn(twice)).toEqual([amd64]);
});
