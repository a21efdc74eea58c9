import { describe, expect, test } from "vitest";
import { decide } from "../../../support/workloads/decide.ts";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import type { BackOff } from "../../../../functions/domain/workload/workload.ts";
import { newerVersions } from "../../../../functions/domain/workload/decision/decide-by-tag.ts";
import { minimumVersion } from "../../../../functions/domain/workload/decision/tag-candidates.ts";
import {
  after,
  canaryWorkload,
  image,
  inFlight,
  noon,
  rollingBack,
  updatingWorkload,
  workload,
  type WorkloadParts,
  updateTarget,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const tags = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "latest"];
const digest = `@sha256:${"a".repeat(64)}`;

interface Case {
  readonly when: string;
  readonly parts: WorkloadParts;
  readonly tags?: readonly string[];
  readonly expected: string;
}

function verdict(parts: WorkloadParts, listed: readonly string[] = tags): string {
  const decision = decide(workload(parts), listed, noon);
  if (decision.kind === "update") return `update to ${decision.target.image}`;
  return decision.kind === "hold" ? `hold: ${decision.reason}` : decision.kind;
}

const cases: readonly Case[] = [
  { when: "there is a newer version", parts: {}, expected: "update to registry.example/shop/app:2.0.0" },
  {
    when: "a constraint caps it",
    parts: { policy: { versionConstraint: "^1.0.0" } },
    expected: "update to registry.example/shop/app:1.2.0",
  },
  {
    when: "a pattern matches few tags",
    parts: { policy: { tagPattern: "^1\\.1" } },
    expected: "update to registry.example/shop/app:1.1.0",
  },
  { when: "the pattern is invalid", parts: { policy: { tagPattern: "(" } }, expected: "problem" },
  { when: "the constraint is invalid", parts: { policy: { versionConstraint: "one" } }, expected: "problem" },
  { when: "it is disabled", parts: { policy: { optIn: "no" as const } }, expected: "hold: disabled" },
  { when: "a value is invalid", parts: { problems: problemsOf("pawl.dev/schedule") }, expected: "problem" },
  { when: "nothing is published for it", parts: { source: null }, expected: "hold: no-published-image" },
  { when: "it is paused", parts: { policy: { paused: true } }, expected: "hold: paused" },
  { when: "the image is pinned", parts: { image: `app${digest}` }, expected: "hold: digest-pinned" },
  {
    when: "its schedule is not due",
    parts: { policy: { schedule: "0 3 * * *" }, updateRecord: { lastCheck: after(-60) } },
    expected: "hold: not-due",
  },
  {
    when: "its schedule is due",
    parts: { policy: { schedule: "30 11 * * *" }, updateRecord: { lastCheck: after(-600) } },
    expected: "update to registry.example/shop/app:2.0.0",
  },
  {
    when: "an invalid schedule was not rejected before",
    parts: { policy: { schedule: "often" } },
    expected: "update to registry.example/shop/app:2.0.0",
  },
  { when: "the registry lists nothing", parts: {}, tags: [], expected: "hold: no-tags" },
  { when: "it runs the highest", parts: { image: "app:2.0.0" }, expected: "hold: no-newer-version" },
  { when: "it runs a higher version than any tag", parts: { image: "app:3.0.0" }, expected: "hold: no-newer-version" },
  {
    when: "nothing runs yet, and the recorded version is the highest",
    parts: { image: null, rollout: null, updateRecord: { currentVersion: "2.0.0" } },
    expected: "hold: no-newer-version",
  },
  {
    when: "every newer version has failed",
    parts: { updateRecord: { failedVersions: ["1.1.0", "1.2.0", "2.0.0"] } },
    expected: "hold: newer-failed",
  },
  {
    when: "the highest has failed, and older ones are tried",
    parts: { policy: { onFailure: "tryOlder" }, updateRecord: { failedVersions: ["2.0.0"] } },
    expected: "update to registry.example/shop/app:1.2.0",
  },
  {
    when: "the highest has failed",
    parts: { updateRecord: { failedVersions: ["2.0.0"] } },
    expected: "hold: newer-failed",
  },
  {
    when: "one has failed that the owner allows no more",
    parts: { policy: { versionConstraint: "^1.0.0" }, updateRecord: { failedVersions: ["2.0.0"] } },
    expected: "update to registry.example/shop/app:1.2.0",
  },
  {
    when: "its digest has failed",
    parts: { updateRecord: { failedVersions: [`2.0.0@sha256:${"1".repeat(64)}`] } },
    expected: "update to registry.example/shop/app:2.0.0",
  },
  { when: "the circuit is open", parts: { updateRecord: { circuitOpen: true } }, expected: "hold: circuit-open" },
  {
    when: "the circuit is open and nothing is newer",
    parts: { image: "app:2.0.0", updateRecord: { circuitOpen: true } },
    expected: "hold: no-newer-version",
  },
  {
    when: "it runs `latest` and no setting defines what is newer",
    parts: { image: "app:latest", rollout: null },
    expected: "hold: unknown-version",
  },
  {
    when: "it runs `latest` under a constraint",
    parts: { image: "app:latest", source: "app", policy: { versionConstraint: "^1" } },
    expected: "update to app:1.2.0",
  },
  {
    when: "it runs a variant, which the newer versions are not",
    parts: { image: "app:1.0.0-alpine" },
    expected: "hold: variant-not-published",
  },
  {
    when: "it runs a variant, and the whole tag is a version",
    parts: { image: "app:1.0.0-alpine", source: "app", policy: { versioning: "semver" } },
    expected: "update to app:2.0.0",
  },
  {
    when: "it runs a tag of one part",
    parts: { image: "app:1-alpine" },
    tags: ["1-alpine", "2-alpine"],
    expected: "hold: major-only",
  },
  {
    when: "it may run other variants",
    parts: { image: "app:1.0.0-alpine", source: "app", policy: { variant: "slim, b*" } },
    tags: ["1.1.0-alpine", "1.1.0-bookworm"],
    expected: "update to app:1.1.0-bookworm",
  },
  { when: "the variants are invalid", parts: { policy: { variant: "(" } }, expected: "problem" },
  {
    when: "it runs a commit hash under a constraint",
    parts: { image: "app:8e5f1a2", source: "app", policy: { versionConstraint: "^1" } },
    expected: "hold: unknown-version",
  },
  {
    when: "it runs a commit hash under a constraint, and its variants are named",
    parts: { image: "app:8e5f1a2", source: "app", policy: { versionConstraint: "^1", variant: "*" } },
    expected: "update to app:1.2.0",
  },
  {
    when: "it runs a commit hash in place of a recorded version",
    parts: { image: "app:8e5f1a2", source: "app", updateRecord: { currentVersion: "1.0.0" } },
    expected: "update to app:2.0.0",
  },
  {
    when: "-0 once stood for the variant that it runs",
    parts: { image: "app:1.0.0-alpine", policy: { versionConstraint: ">=1.0.0-0" } },
    expected: "problem",
  },
  {
    when: "a person rolled back and nothing newer than the record exists",
    parts: { image: "app:1.1.0", updateRecord: { currentVersion: "2.0.0" } },
    expected: "hold: manual-change",
  },
  {
    when: "a person rolled back and a newer version than the record appeared",
    parts: { image: "app:1.1.0", source: "app:1.1.0", updateRecord: { currentVersion: "1.2.0" } },
    expected: "update to app:2.0.0",
  },
  {
    when: "a person updated manually",
    parts: { image: "app:2.0.0", updateRecord: { currentVersion: "1.0.0" } },
    expected: "hold: no-newer-version",
  },
  {
    when: "a person set another spelling of the recorded version",
    parts: { image: "app:v2.0", updateRecord: { currentVersion: "2.0.0" } },
    expected: "hold: no-newer-version",
  },
  {
    when: "a person updated manually from a tag that is no version",
    parts: { image: "app:2.0.0", updateRecord: { currentVersion: "prod" } },
    expected: "hold: no-newer-version",
  },
  {
    when: "a person updated manually and a newer version appeared",
    parts: { image: "app:1.2.0", updateRecord: { currentVersion: "1.1.0" } },
    expected: "update to registry.example/shop/app:2.0.0",
  },
  {
    when: "a person set a hotfix and no newer version appeared",
    parts: { image: "app:hotfix", updateRecord: { currentVersion: "2.0.0" } },
    expected: "hold: manual-change",
  },
];

describe("decide", () => {
  test.for(cases)("$when: $expected", ({ parts, tags: listed, expected }) => {
    expect(verdict(parts, listed)).toBe(expected);
  });

  test("ignores the order of tags and keeps the spelling of the owner's image", () => {
    const parts = { image: "nginx:1.0.0", source: "nginx:1.0.0" };
    expect(verdict(parts, ["v1.2.0", "1.10.0", "1.9.0"])).toBe("update to nginx:1.10.0");
  });
});

describe("an update in flight", () => {
  const startedManually = { ...inFlight, execution: null, previousImage: null };
  test.for([
    { when: "is adopted", parts: {}, kind: "adopt" },
    { when: "is adopted while the circuit is open", parts: { updateRecord: { circuitOpen: true } }, kind: "adopt" },
    { when: "is adopted when disabled, to be reverted", parts: { policy: { optIn: "no" as const } }, kind: "adopt" },
    { when: "is adopted when paused", parts: { policy: { paused: true } }, kind: "adopt" },
    { when: "that a person set is adopted", parts: { inFlight: startedManually }, kind: "adopt" },
    {
      when: "that a person set is adopted before its image is set",
      parts: { inFlight: startedManually, image },
      kind: "adopt",
    },
    {
      when: "that a person set while Pawl is disabled is not adopted",
      parts: { inFlight: startedManually, policy: { optIn: "no" as const } },
      kind: "hold",
    },
    { when: "with a changed image is held", parts: { image: "app:hotfix" }, kind: "hold" },
    { when: "of a Claw without a target is adopted", parts: { image: null }, kind: "adopt" },
  ])("$when", ({ parts, kind }) => {
    expect(decide(updatingWorkload(parts), tags, noon).kind).toBe(kind);
  });
});

describe("a claim that is backing off", () => {
  const backOff: BackOff = {
    reason: "Failed",
    message: "a bug",
    target: updateTarget,
    attempts: 3,
    until: after(60),
    execution: "e-1",
  };

  test.for<{ when: string; parts: WorkloadParts; kind: string }>([
    { when: "nobody asks for anything", parts: {}, kind: "hold" },
    { when: "a person aborts it", parts: { verdict: "abort" }, kind: "adopt" },
    { when: "a person promotes it in full", parts: { verdict: "promote" }, kind: "adopt" },
    { when: "a person continues it", parts: { verdict: "continue" }, kind: "adopt" },
    { when: "its owner opts out", parts: { policy: { optIn: "no" as const } }, kind: "adopt" },
    {
      when: "its owner has opted out, and its rollback fails",
      parts: { policy: { optIn: "no" as const }, inFlight: rollingBack, canary: null },
      kind: "hold",
    },
  ])("if $when: $kind", ({ parts, kind }) => {
    expect(decideWithoutTags(canaryWorkload({ backOff, ...parts }), noon).kind).toBe(kind);
  });
});

test.for([
  { runs: "app:1.0.0", recorded: null, minimum: "1.0.0" },
  { runs: "app:1.0.0", recorded: "1.2.0", minimum: "1.2.0" },
  { runs: "app:2.0.0", recorded: "1.2.0", minimum: "2.0.0" },
  { runs: "app:latest", recorded: "1.2.0", minimum: "1.2.0" },
  { runs: null, recorded: null, minimum: null },
])("minimumVersion of $runs and a record of $recorded is $minimum", ({ runs, recorded, minimum: expected }) => {
  expect(minimumVersion(workload({ image: runs, rollout: null, updateRecord: { currentVersion: recorded } }))).toBe(
    expected,
  );
});

test("an invalid policy selects no version", () => {
  expect(newerVersions(workload({ policy: { versionConstraint: "no constraint" } }), tags)).toEqual([]);
  expect(newerVersions(workload(), tags)).toEqual(["2.0.0", "1.2.0", "1.1.0"]);
});
