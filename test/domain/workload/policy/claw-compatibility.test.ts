import { describe, expect, test } from "vitest";
import { decide } from "../../../support/workloads/decide.ts";
import { after, claw, noon } from "../../../support/workloads.ts";

const digest = `@sha256:${"a".repeat(64)}`;

describe("k8s4claw's own table", () => {
  const due = { lastCheck: null };
  const clawTags = ["1.0.0", "1.1.0", "1.2.0", "latest"];
  test.for([
    {
      when: "auto-update is absent",
      parts: { policy: { optIn: "no" as const } },
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
        updateRecord: { currentVersion: "1.0.0", ...due },
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
      parts: { updateRecord: { circuitOpen: true, rollbackCount: 3 } },
      listed: clawTags,
      expected: "hold: circuit-open",
    },
    {
      when: "it was checked a minute ago",
      parts: { updateRecord: { lastCheck: after(-1) } },
      listed: clawTags,
      expected: "hold: not-due",
    },
  ])("$when: $expected", ({ parts, listed, expected }) => {
    const decision = decide(claw(parts), listed, noon);
    const outcome =
      decision.kind === "update"
        ? `update to ${decision.target.image}`
        : decision.kind === "hold"
          ? `hold: ${decision.reason}`
          : decision.kind;
    expect(outcome).toBe(expected);
  });
});
