import { describe, expect, test } from "vitest";
import { observedCurrentVersion } from "../../../../functions/domain/workload/record/current-version.ts";
import { claw, inFlight, updatingWorkload, workload } from "../../../support/workloads.ts";

describe("observedCurrentVersion", () => {
  test.for([
    { when: "no version is recorded", parts: {}, seed: { currentVersion: "1.0.0" } },
    { when: "it is recorded", parts: { updateRecord: { currentVersion: "1.0.0" } }, seed: {} },
    {
      when: "a person set a newer one",
      parts: { updateRecord: { currentVersion: "0.9.0" } },
      seed: { currentVersion: "1.0.0" },
    },
    { when: "a person set an older one", parts: { updateRecord: { currentVersion: "1.1.0" } }, seed: {} },
    { when: "an update is in flight", parts: { inFlight, updateRecord: { currentVersion: "0.9.0" } }, seed: {} },
    {
      when: "only pods, which may be those of an earlier update, run a newer one",
      parts: { image: null, updateRecord: { currentVersion: "0.9.0" } },
      seed: {},
    },
    { when: "the tag is not a version", parts: { image: "app:latest" }, seed: {} },
    { when: "no running image is known", parts: { image: null, rollout: null }, seed: {} },
  ])("$when", ({ parts, seed }) => {
    expect(observedCurrentVersion(workload(parts))).toEqual(seed);
  });

  test("uses the pod template of a Claw without a target", () => {
    const rollout = { ...updatingWorkload().rollout!, image: "ghcr.io/prismer-ai/k8s4claw-openclaw:0.3.0" };
    expect(observedCurrentVersion(claw({ rollout }))).toEqual({ currentVersion: "0.3.0" });
  });
});
