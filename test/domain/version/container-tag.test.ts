import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTags, higherVersion } from "../../../functions/domain/version/compare-tags.ts";
import { newestTags } from "../../../functions/domain/version/newest-tags.ts";
import { parseTag } from "../../../functions/domain/version/parse-tag.ts";
import type { Tag } from "../../../functions/domain/version/tag.ts";
import { propertyRuns } from "../../support/property-runs.ts";
import { anyTag } from "./any-tag.ts";

function partsOf({ prefix, semver, moreParts, variant, revision }: Tag): string {
  const version = [semver.major, semver.minor, semver.patch, ...moreParts].join(".");
  return [prefix, version, semver.prerelease.join("."), variant, revision.join("/")].join("|");
}

describe("a tag has a prefix, a version, a pre-release, a variant and a revision", () => {
  test.for([
    ["1.2.3", "|1.2.3|||"],
    ["v1.2.3", "|1.2.3|||"],
    ["17", "|17.0.0|||"],
    ["24.04", "|24.4.0|||"],
    ["2024.10.1", "|2024.10.1|||"],
    ["4.0.5.7", "|4.0.5.7|||"],
    ["3.12-slim-bookworm", "|3.12.0||slim-bookworm|"],
    ["1.27.2-alpine3.20-perl", "|1.27.2||alpine3.20-perl|"],
    ["1.27.2-bookworm-otel", "|1.27.2||bookworm-otel|"],
    ["8.0.11-noble-chiseled", "|8.0.11||noble-chiseled|"],
    ["8.0.3-windowsservercore-ltsc2022", "|8.0.3||windowsservercore-ltsc2022|"],
    ["1.17.2-ent.hsm.fips1402", "|1.17.2||ent.hsm.fips1402|"],
    ["3.9.9-eclipse-temurin-21", "|3.9.9||eclipse-temurin-21|"],
    ["6.7.0-php8.3-fpm-alpine", "|6.7.0||php8.3-fpm-alpine|"],
    ["1.37.0-x86_64", "|1.37.0||x86_64|"],
    ["11.3.0-security-01", "|11.3.0||security-01|"],
    ["3.2.0.Final", "|3.2.0||Final|"],
    ["17-3.5", "|17.0.0||3.5|"],
    // Revisions.
    ["17.0.13_11-jdk", "|17.0.13||jdk|11/-1"],
    ["8u432-b06-jdk-noble", "|8.432.0||jdk-noble|6/-1"],
    ["1.2.3-debian-12-r10", "|1.2.3||debian-12|-1/10"],
    ["1.2.3-r0", "|1.2.3|||0/-1"],
    ["11.1.4-h7", "|11.1.4|||7/-1"],
    ["7.7.1-1-ubi8", "|7.7.1||ubi8|1/-1"],
    ["5.14.0.9383-ls259", "|5.14.0.9383|||259/-1"],
    ["9.9.1-p2", "|9.9.1|||2/-1"],
    ["17.0-20241014", "|17.0.0|||20241014/-1"],
    ["1.2.3-slim-20241014", "|1.2.3||slim|-1/20241014"],
    ["1.2.3-202410141530", "|1.2.3|||202410141530/-1"],
    ["v1.31.2-eksbuild.3", "|1.31.2||eksbuild|-1/3"],
    ["v1.31.2-minimal-eksbuild.3", "|1.31.2||minimal-eksbuild|-1/3"],
    ["1.31.1-gke.1678000", "|1.31.1||gke|-1/1678000"],
    ["1.2.3-debian.12", "|1.2.3||debian.12|"],
    // Pre-releases.
    ["1.2.0-rc.1", "|1.2.0|rc.1||"],
    ["8.4.0RC4-cli", "|8.4.0|rc.4|cli|"],
    ["3.14.0a7-bookworm", "|3.14.0|a.7|bookworm|"],
    ["17beta1", "|17.0.0|beta.1||"],
    ["11.7-rc-noble", "|11.7.0|rc|noble|"],
    ["11.0.0-M26-jdk21", "|11.0.0|m.26|jdk21|"],
    ["24-ea-21-jdk", "|24.0.0|ea.21|jdk|"],
    ["9.0.0-preview.7.24405.7-noble", "|9.0.0|preview.7.24405.7|noble|"],
    ["3.1-dev12-alpine", "|3.1.0|dev.12|alpine|"],
    ["2.0.0-rc1-SNAPSHOT", "|2.0.0|rc.1.snapshot||"],
    ["1.2.3-nightly-20241014", "|1.2.3|nightly.20241014||"],
    ["1.2.3-betamax", "|1.2.3||betamax|"],
    // Prefixes and times.
    ["noble-20241015", "noble-|20241015.0.0|||"],
    ["bookworm-20241016-slim", "bookworm-|20241016.0.0||slim|"],
    ["release-v1.2", "release-|1.2.0|||"],
    ["enterprise-7.6.3", "enterprise-|7.6.3|||"],
    ["amd64-1.2.3", "amd64-|1.2.3|||"],
    ["RELEASE.2024-10-02T17-50-41Z", "RELEASE.|2024.10.2.17.50.41|||"],
    ["RELEASE.2024-10-02T17-50-41Z.fips", "RELEASE.|2024.10.2.17.50.41||fips|"],
    ["2024-10-01", "|2024.10.1|||"],
  ] as const)("%s: %s", ([text, parts]) => {
    const tag = parseTag(text, "container");
    expect(tag && partsOf(tag)).toBe(parts);
  });

  test.for([
    "",
    "latest",
    "stable-alpine",
    "alpine3.20",
    "sha-1234567",
    "sha256-1234567.sig",
    "8e5f1a2",
    "a1b2c3d-1.2.3",
    "0.0.0-20240101-abc1234",
    "1.2.3-42-gabcdef1",
    "1.2.3-4829103",
    "1.2.3-alpine-4829103",
    "1.2.3-dev-4829103",
    "3273.v4cfe589b_fd83-1",
    "1..2",
    "1.",
    "1.2.3-",
    "1.2.3--x",
    "1.2.3+build",
    "1.2.3 ",
    "9999999999999999.0.0",
    "1.2.3-rc.9999999999999999",
    "1.2.3-gke.9999999999999999",
    "1.2.3-alpine-r9999999999999999",
    `1.2.3-${"a".repeat(123)}`,
  ])("%s has no order", (text) => {
    expect(parseTag(text, "container")).toBeNull();
  });
});

test.for([
  ["1.2.3", "1.2.4"],
  ["1.9", "1.10"],
  ["4.0.5.7", "4.0.6.1"],
  ["4.0.5", "4.0.5.1"],
  ["1.2.0-rc9", "1.2.0-rc10"],
  ["1.2.0-rc.1", "1.2.0"],
  ["3.14.0a7", "3.14.0b1"],
  ["1.2.0-rc", "1.2.0-rc.1"],
  ["1.2.3-debian-12-r9", "1.2.3-debian-12-r10"],
  ["1.2.3", "1.2.3-r0"],
  ["17.0.12_7-jdk", "17.0.13_11-jdk"],
  ["1.31.2-eksbuild.3", "1.31.2-eksbuild.10"],
  ["RELEASE.2024-10-02T17-50-41Z", "RELEASE.2024-10-13T13-34-11Z"],
  ["2024.9.3", "2024.10.1"],
] as const)("%s is lower than %s", ([lower, higher]) => {
  expect(higherVersion(lower, higher, "container")).toBe(higher);
  expect(higherVersion(higher, lower, "container")).toBe(higher);
});

test.for([
  ["1.25.3-alpine", "1.25.3-bookworm"],
  ["v1.2", "1.2.0"],
  ["1.2.0-rc1", "1.2.0-rc.1"],
] as const)("%s and %s are equal", ([one, other]) => {
  expect(higherVersion(one, other, "container")).toBe(one);
  expect(higherVersion(other, one, "container")).toBe(other);
});

test("the newest tags are the highest versions, without what may be a commit hash", () => {
  const tags = ["1.2", "9999999", "latest", "1.10.0", "1.2.0", "1.10.0-rc.1", "1.1"];
  expect(newestTags(tags, "container", 4)).toEqual(["1.10.0", "1.10.0-rc.1", "1.2", "1.2.0"]);
  expect(newestTags(tags.toReversed(), "container", 4)).toEqual(["1.10.0", "1.10.0-rc.1", "1.2", "1.2.0"]);
});

describe("for any tags", () => {
  const parsed = anyTag.map((text) => parseTag(text, "container")).filter((tag) => tag !== null);
  const runs = { numRuns: propertyRuns(6000) };

  test("the order is total and transitive, and depends on no other tag", () => {
    fc.assert(
      fc.property(parsed, parsed, parsed, (a, b, c) => {
        expect(compareTags(a, a)).toBe(0);
        expect(Math.sign(compareTags(a, b))).toBe(0 - Math.sign(compareTags(b, a)));
        const [low, middle, high] = [a, b, c].toSorted(compareTags) as [Tag, Tag, Tag];
        expect([low, middle, high].map((tag) => Math.sign(compareTags(low, tag)))).not.toContain(1);
        const isSame = compareTags(a, b) === 0;
        expect(isSame && Math.sign(compareTags(a, c)) !== Math.sign(compareTags(b, c))).toBe(false);
        expect(compareTags(low, middle) <= 0 && compareTags(middle, high) <= 0 && compareTags(low, high) <= 0).toBe(
          true,
        );
      }),
      runs,
    );
  });

  test("the original spelling is returned", () => {
    fc.assert(
      fc.property(anyTag, fc.constantFrom("container", "semver"), (text, versioning) => {
        const tag = parseTag(text, versioning);
        expect(tag?.original ?? text).toBe(text);
        expect(higherVersion(text, null, versioning)).toBe(tag === null ? null : text);
      }),
      runs,
    );
  });

  test("128 odd characters have exact numbers, or no order", () => {
    const odd = fc.string({ unit: fc.constantFrom(..."0189afgrtvxzAZ.-_".split("")), minLength: 100, maxLength: 140 });
    fc.assert(
      fc.property(odd, (text) => {
        const tag = parseTag(text, "container");
        expect(tag === null || Number.isSafeInteger(tag.semver.major)).toBe(true);
      }),
      runs,
    );
  });
});
