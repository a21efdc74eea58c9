import { describe, expect, test } from "vitest";
import { whyNotApply } from "../../functions/domain/why-not-apply.ts";
import { target, workload } from "../support/workloads.ts";

const digest = `@sha256:${"a".repeat(64)}`;

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
