import { describe, expect, test } from "vitest";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { noon, target, workload, imageTarget, updateTarget } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const digest = `@sha256:${"a".repeat(64)}`;

describe("preconditionFailure of an image", () => {
  test.for([
    { when: "every precondition holds", parts: {}, reason: null },
    { when: "no running image is known", parts: { image: null, rollout: null }, reason: null },
    { when: "it was disabled", parts: { policy: { optIn: "no" as const } }, reason: "auto-update is disabled" },
    {
      when: "it was paused",
      parts: { policy: { paused: true } },
      reason: "it is suspended, or pawl.dev/paused is set",
    },
    { when: "a setting is invalid", parts: { problems: problemsOf("a", "b") }, reason: "a; b" },
    { when: "the circuit is open", parts: { updateRecord: { circuitOpen: true } }, reason: "the circuit is open" },
    { when: "it was pinned", parts: { image: `app${digest}` }, reason: "the image is pinned by digest" },
    {
      when: "the version has failed since",
      parts: { updateRecord: { failedVersions: ["1.1.0"] } },
      reason: "version 1.1.0 has failed before",
    },
    {
      when: "another repository is tracked",
      parts: { source: "other:1.0.0" },
      reason: "the workload now tracks other:1.0.0",
    },
    { when: "no repository is tracked", parts: { source: null }, reason: "the workload now tracks null" },
    {
      when: "a newer version is running",
      parts: { image: "registry.example/shop/app:1.5.0" },
      reason: "version 1.1.0 is not newer than 1.5.0",
    },
    {
      when: "the constraint does not admit it",
      parts: { policy: { versionConstraint: "~1.0.0" } },
      reason: "version 1.1.0 is not allowed: no version satisfies ~1.0.0",
    },
    {
      when: "the tag pattern does not match it",
      parts: { policy: { tagPattern: "-alpine$" } },
      reason: "version 1.1.0 is not allowed: no tag matches the tag pattern",
    },
    {
      when: "the constraint is invalid",
      parts: { policy: { versionConstraint: "nonsense" } },
      reason: "version 1.1.0 is not allowed: its policy is invalid",
    },
    {
      when: "a person pushes it, outside the constraint",
      parts: {
        policy: { versionConstraint: "~1.0.0" },
        request: { verb: "push", argument: "1.1.0", token: "t-1" },
      },
      reason: null,
    },
    { when: "the constraint admits it", parts: { policy: { versionConstraint: "^1" } }, reason: null },
    { when: "it is already running", parts: { image: target }, reason: "version 1.1.0 is already running" },
  ])("$when: $reason", ({ parts, reason }) => {
    expect(preconditionFailure(workload(parts), { target: updateTarget, digests: null }, noon)).toBe(reason);
  });

  test("never applies a tag that is not a version", () => {
    expect(
      preconditionFailure(workload(), { target: imageTarget("registry.example/shop/app:latest"), digests: null }, noon),
    ).toMatch(/not newer/);
  });
});
