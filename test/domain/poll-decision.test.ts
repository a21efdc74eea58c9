import { describe, expect, test } from "vitest";
import { decide, decideWithoutTags, floor, whyNotApply } from "../../functions/domain/poll-decision.ts";
import {
  after,
  claw,
  image,
  inFlight,
  noon,
  target,
  updating,
  workload,
  type WorkloadParts,
} from "../support/workloads.ts";

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

describe("whyNotApply", () => {
  test.for([
    { when: "nothing speaks against it", parts: {}, reason: null },
    { when: "nothing is known to run", parts: { image: null, rollout: null }, reason: null },
    { when: "it was switched off", parts: { policy: { enabled: false } }, reason: "auto-update is not switched on" },
    { when: "it was paused", parts: { policy: { paused: true } }, reason: "updates are paused" },
    { when: "a value cannot be read any more", parts: { problems: ["a", "b"] }, reason: "a; b" },
    { when: "the circuit has opened", parts: { bookkeeping: { circuitOpen: true } }, reason: "the circuit is open" },
    { when: "it was pinned", parts: { image: `app${digest}` }, reason: "the image is pinned by digest" },
    {
      when: "the version has failed meanwhile",
      parts: { bookkeeping: { failedVersions: ["1.1.0"] } },
      reason: "version 1.1.0 has failed before",
    },
    {
      when: "another repository is followed",
      parts: { source: "other:1.0.0" },
      reason: "the workload now follows other:1.0.0",
    },
    { when: "no repository is followed", parts: { source: null }, reason: "the workload now follows null" },
    {
      when: "something newer runs",
      parts: { image: "registry.example/shop/app:1.5.0" },
      reason: "version 1.1.0 is not newer than 1.5.0",
    },
    { when: "it runs already", parts: { image: target }, reason: "version 1.1.0 runs already" },
  ])("$when: $reason", ({ parts, reason }) => {
    expect(whyNotApply(workload(parts), target)).toBe(reason);
  });

  test("a tag that is no version is never applied", () => {
    expect(whyNotApply(workload(), "registry.example/shop/app:latest")).toMatch(/not newer/);
  });
});

describe("k8s4claw's own table", () => {
  const due = { lastCheck: null };
  const clawTags = ["1.0.0", "1.1.0", "1.2.0", "latest"];
  test.for([
    {
      when: "auto-update is absent",
      parts: { policy: { enabled: false } },
      listed: clawTags,
      expected: "hold: disabled",
    },
    { when: "there are no tags", parts: {}, listed: [], expected: "hold: no-tags" },
    {
      when: "status is empty",
      parts: {},
      listed: ["1.0.0", "1.1.0"],
      expected: "update to ghcr.io/prismer-ai/k8s4claw-openclaw:1.1.0",
    },
    {
      when: "1.0.0 runs under ^1.0.0",
      parts: {
        policy: { versionConstraint: "^1.0.0", schedule: "* * * * *" },
        bookkeeping: { currentVersion: "1.0.0", ...due },
      },
      listed: clawTags,
      expected: "update to ghcr.io/prismer-ai/k8s4claw-openclaw:1.2.0",
    },
    {
      when: "the target is a digest",
      parts: { image: `ghcr.io/prismer-ai/k8s4claw-openclaw${digest}` },
      listed: clawTags,
      expected: "hold: digest-pinned",
    },
    {
      when: "the circuit is open",
      parts: { bookkeeping: { circuitOpen: true, rollbackCount: 3 } },
      listed: clawTags,
      expected: "hold: circuit-open",
    },
    {
      when: "it was checked a minute ago",
      parts: { bookkeeping: { lastCheck: after(-1) } },
      listed: clawTags,
      expected: "hold: not-due",
    },
  ])("$when: $expected", ({ parts, listed, expected }) => {
    const decision = decide(claw(parts), listed, noon);
    const said =
      decision.kind === "update"
        ? `update to ${decision.image}`
        : decision.kind === "hold"
          ? `hold: ${decision.reason}`
          : decision.kind;
    expect(said).toBe(expected);
  });
});
