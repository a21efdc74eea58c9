import { describe, expect, test } from "vitest";
import { decide } from "../support/decide.ts";
import { decideWithoutTags } from "../../functions/domain/poll-decision.ts";
import { floor } from "../../functions/domain/tag-decision.ts";
import { after, image, inFlight, noon, updating, workload, type WorkloadParts } from "../support/workloads.ts";

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
  if (decision.kind === "update") return `update to ${decision.image}`;
  return decision.kind === "hold" ? `hold: ${decision.reason}` : decision.kind;
}

const cases: readonly Case[] = [
  { when: "something newer is there", parts: {}, expected: "update to registry.example/shop/app:2.0.0" },
  {
    when: "a constraint caps it",
    parts: { policy: { versionConstraint: "^1.0.0" } },
    expected: "update to registry.example/shop/app:1.2.0",
  },
  {
    when: "a pattern admits few tags",
    parts: { policy: { tagPattern: "^1\\.1" } },
    expected: "update to registry.example/shop/app:1.1.0",
  },
  { when: "the pattern cannot be read", parts: { policy: { tagPattern: "(" } }, expected: "problem" },
  { when: "the constraint cannot be read", parts: { policy: { versionConstraint: "one" } }, expected: "problem" },
  { when: "it is not switched on", parts: { policy: { enabled: false } }, expected: "hold: disabled" },
  { when: "a value cannot be read", parts: { problems: ["pawl.dev/schedule"] }, expected: "problem" },
  { when: "nothing is published for it", parts: { source: null }, expected: "hold: no-published-image" },
  { when: "it is paused", parts: { policy: { paused: true } }, expected: "hold: paused" },
  { when: "the image is pinned", parts: { image: `app${digest}` }, expected: "hold: digest-pinned" },
  {
    when: "its schedule is not due",
    parts: { policy: { schedule: "0 3 * * *" }, bookkeeping: { lastCheck: after(-60) } },
    expected: "hold: not-due",
  },
  {
    when: "its schedule is due",
    parts: { policy: { schedule: "0 3 * * *" }, bookkeeping: { lastCheck: after(-600) } },
    expected: "update to registry.example/shop/app:2.0.0",
  },
  {
    when: "an invalid schedule was let through",
    parts: { policy: { schedule: "often" } },
    expected: "update to registry.example/shop/app:2.0.0",
  },
  { when: "the registry lists nothing", parts: {}, tags: [], expected: "hold: no-tags" },
  { when: "it runs the highest", parts: { image: "app:2.0.0" }, expected: "hold: no-newer-version" },
  { when: "it runs something higher than any tag", parts: { image: "app:3.0.0" }, expected: "hold: no-newer-version" },
  {
    when: "nothing runs yet, and what is recorded is the highest",
    parts: { image: null, rollout: null, bookkeeping: { currentVersion: "2.0.0" } },
    expected: "hold: no-newer-version",
  },
  {
    when: "every newer version has failed",
    parts: { bookkeeping: { failedVersions: ["1.1.0", "1.2.0", "2.0.0"] } },
    expected: "hold: no-newer-version",
  },
  {
    when: "the highest has failed",
    parts: { bookkeeping: { failedVersions: ["2.0.0"] } },
    expected: "update to registry.example/shop/app:1.2.0",
  },
  { when: "the circuit is open", parts: { bookkeeping: { circuitOpen: true } }, expected: "hold: circuit-open" },
  {
    when: "the circuit is open and nothing is newer",
    parts: { image: "app:2.0.0", bookkeeping: { circuitOpen: true } },
    expected: "hold: no-newer-version",
  },
  {
    when: "it runs `latest` and nobody said what is newer",
    parts: { image: "app:latest", rollout: null },
    expected: "hold: unknown-version",
  },
  {
    when: "it runs `latest` under a constraint",
    parts: { image: "app:latest", source: "app", policy: { versionConstraint: "^1" } },
    expected: "update to app:1.2.0",
  },
  {
    when: "a person went back and nothing newer than the record is there",
    parts: { image: "app:1.1.0", bookkeeping: { currentVersion: "2.0.0" } },
    expected: "hold: changed-by-hand",
  },
  {
    when: "a person went back and something newer than the record came",
    parts: { image: "app:1.1.0", source: "app:1.1.0", bookkeeping: { currentVersion: "1.2.0" } },
    expected: "update to app:2.0.0",
  },
  {
    when: "a person went ahead",
    parts: { image: "app:2.0.0", bookkeeping: { currentVersion: "1.0.0" } },
    expected: "hold: changed-by-hand",
  },
  {
    when: "a person chose a hotfix and nothing newer came",
    parts: { image: "app:hotfix", bookkeeping: { currentVersion: "2.0.0" } },
    expected: "hold: changed-by-hand",
  },
];

describe("decide", () => {
  test.for(cases)("$when: $expected", ({ parts, tags: listed, expected }) => {
    expect(verdict(parts, listed)).toBe(expected);
  });

  test("the order of tags does not matter, and the spelling of the owner's image is kept", () => {
    const parts = { image: "nginx:1.0", source: "nginx:1.0" };
    expect(verdict(parts, ["v1.2.0", "1.10.0", "1.9.0"])).toBe("update to nginx:1.10.0");
  });

  test("without tags nothing is decided that needs them", () => {
    expect(decideWithoutTags(workload(), noon)).toEqual({ kind: "undecided", source: image });
    expect(decide(workload(), null, noon)).toMatchObject({ kind: "hold", reason: "no-tags" });
  });

  test("an open circuit names the version that is not applied", () => {
    expect(decide(workload({ bookkeeping: { circuitOpen: true } }), tags, noon)).toMatchObject({ version: "2.0.0" });
  });
});

describe("an update in flight", () => {
  const byHand = { ...inFlight, execution: null, previousImage: null };
  test.for([
    { when: "is adopted", parts: {}, kind: "adopt" },
    { when: "is adopted while the circuit is open", parts: { bookkeeping: { circuitOpen: true } }, kind: "adopt" },
    { when: "is adopted when switched off, to be taken back", parts: { policy: { enabled: false } }, kind: "adopt" },
    { when: "is adopted when paused", parts: { policy: { paused: true } }, kind: "adopt" },
    { when: "that a person set is adopted", parts: { inFlight: byHand }, kind: "adopt" },
    { when: "that a person set is adopted before its image is set", parts: { inFlight: byHand, image }, kind: "adopt" },
    {
      when: "that a person set where Pawl is off is left alone",
      parts: { inFlight: byHand, policy: { enabled: false } },
      kind: "hold",
    },
    { when: "whose image was changed is held", parts: { image: "app:hotfix" }, kind: "hold" },
    { when: "of a Claw without a target is adopted", parts: { image: null }, kind: "adopt" },
  ])("$when", ({ parts, kind }) => {
    expect(decide(updating(parts), tags, noon).kind).toBe(kind);
  });
});

test.for([
  { runs: "app:1.0.0", recorded: null, floor: "1.0.0" },
  { runs: "app:1.0.0", recorded: "1.2.0", floor: "1.2.0" },
  { runs: "app:2.0.0", recorded: "1.2.0", floor: "2.0.0" },
  { runs: "app:latest", recorded: "1.2.0", floor: "1.2.0" },
  { runs: null, recorded: null, floor: null },
])("floor of $runs and a record of $recorded is $floor", ({ runs, recorded, floor: expected }) => {
  expect(floor(workload({ image: runs, rollout: null, bookkeeping: { currentVersion: recorded } }))).toBe(expected);
});
